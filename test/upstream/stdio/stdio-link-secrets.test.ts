import { expect, it } from 'vitest';
import { DescriptorGate } from '../../../src/upstream/stdio/descriptor-gate.ts';
import { LiveGroups } from '../../../src/upstream/stdio/live-groups.ts';
import { StdioLink } from '../../../src/upstream/stdio/stdio-link.ts';
import { stdioConfig } from '../server-config.ts';

it('a secret that the cut of the last output runs through shows no part of itself', async () => {
  const secret = 'S3CR3T-0123456789-abcdefghijklmnopqrstuvwxyz';
  const script = `process.stderr.write(process.env.TOKEN + ' '.padEnd(380, 'x') + '\\n'); process.exit(1)`;
  const link = new StdioLink(stdioConfig({ args: ['-e', script], env: { TOKEN: secret } }), {
    maxMessageBytes: 1000,
    groups: new LiveGroups(),
    descriptors: new DescriptorGate(),
    logFolder: undefined,
  });
  let end = (_: Error) => {};
  const closed = new Promise<Error>((resolve) => {
    end = resolve;
  });
  await link.start({ onframe: () => {}, onfault: () => {}, onclose: (reason) => end(reason) });
  const { message } = await closed;
  await link.close();
  expect(message).toContain('xxxx');
  expect(message).not.toContain('uvwxyz');
});
