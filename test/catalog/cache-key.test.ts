import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyOf, readSecret } from '../../src/catalog/cache-key.ts';

const SECRET = new Uint8Array(32).fill(7);
const CONFIGURED = {
  command: 'npx',
  args: ['-y', 'server'],
  env: { TOKEN: 'sk-secret', REGION: 'eu' },
  cwd: '/home/ann',
};

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'toolsift-key-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('keyOf', () => {
  it.each([
    ['command', { ...CONFIGURED, command: 'npx2' }],
    ['an argument', { ...CONFIGURED, args: ['-y', 'server2'] }],
    ['the order of arguments', { ...CONFIGURED, args: ['server', '-y'] }],
    ['where arguments are divided', { ...CONFIGURED, args: ['-y server'] }],
    ['a value of env', { ...CONFIGURED, env: { TOKEN: 'sk-secret2', REGION: 'eu' } }],
    ['a name in env', { ...CONFIGURED, env: { TOKEN2: 'sk-secret', REGION: 'eu' } }],
    ['one more in env', { ...CONFIGURED, env: { ...CONFIGURED.env, X: '' } }],
    ['values of env that change places', { ...CONFIGURED, env: { TOKEN: 'eu', REGION: 'sk-secret' } }],
    ['the working directory', { ...CONFIGURED, cwd: '/home/bob' }],
    ['the kind of server', { transport: 'http', url: 'https://x', headers: {} }],
  ])('is another for %s', (_, configured) => {
    expect(keyOf(SECRET, configured)).not.toBe(keyOf(SECRET, CONFIGURED));
  });

  it('is the same in whatever order keys are written', () => {
    const { env, ...rest } = CONFIGURED;
    const { TOKEN, REGION } = env;
    expect(keyOf(SECRET, { env: { REGION, TOKEN }, ...rest })).toBe(keyOf(SECRET, CONFIGURED));
  });

  it('is another for every user, so that guesses cannot be tried', () => {
    expect(keyOf(new Uint8Array(32), CONFIGURED)).not.toBe(keyOf(SECRET, CONFIGURED));
  });

  it('is hex digits and nothing else', () => {
    expect(keyOf(SECRET, CONFIGURED)).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('readSecret', () => {
  it('makes one for the user alone, once', () => {
    const place = join(folder(), 'data', 'toolsift');
    const secret = readSecret(place);
    expect(secret).toHaveLength(32);
    expect(Buffer.from(readSecret(place))).toEqual(Buffer.from(secret));
    expect(statSync(join(place, 'cache-secret')).mode & 0o777).toBe(0o600);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(Buffer.from(readFileSync(join(place, 'cache-secret')))).toEqual(Buffer.from(secret));
  });

  it('makes a passing one where none can be kept', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(readSecret(join(file, 'below'))).toHaveLength(32);
  });

  it.runIf(process.getuid?.() !== 0)('makes a passing one where none may be written', () => {
    const place = folder();
    chmodSync(place, 0o500);
    expect(readSecret(place)).toHaveLength(32);
  });

  it('makes another where the one there is damaged, and keeps that', () => {
    const place = folder();
    readSecret(place);
    truncateSync(join(place, 'cache-secret'), 5);
    expect(Buffer.from(readSecret(place))).toEqual(Buffer.from(readSecret(place)));
  });
});
