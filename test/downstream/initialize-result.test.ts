import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { Catalog } from '../../src/catalog/catalog.ts';
import { initializeResult } from '../../src/downstream/initialize-result.ts';
import { AdvertisedTools } from '../../src/downstream/lists/advertised-tools.ts';
import { capabilityNames } from '../../src/mcp/capabilities.ts';
import { answeredVersion, NEWEST_VERSION, PROTOCOL_VERSIONS } from '../../src/mcp/protocol-version.ts';
import { FakeUpstream, viewsOf } from './fake-upstream.ts';

const MAX_INSTRUCTION_BYTES = 2048;
const MAX_MENU_TOKENS = 700;

interface Result {
  readonly capabilities: Record<string, unknown>;
  readonly instructions: string;
}

function resultFor(upstreams: FakeUpstream[], known: Record<string, string> = {}, notice?: string): Result {
  const declared = Object.entries(known).map(
    ([server, initialize]) => [server, capabilityNames(JSON.parse(initialize))] as const,
  );
  const text = initializeResult({
    protocolVersion: NEWEST_VERSION,
    version: '1.2.3',
    known: new Map(declared),
    upstreams: viewsOf(...upstreams),
    notice,
  });
  return JSON.parse(text) as Result;
}

const servers = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => new FakeUpstream(name(index)));
const passedOn = ({ capabilities }: Result) => Object.keys(capabilities).sort();

describe('the answer to initialize', () => {
  it('says who we are, and that our tools may change', () => {
    expect(resultFor([])).toMatchObject({
      protocolVersion: NEWEST_VERSION,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'toolsift', version: '1.2.3' },
    });
  });

  it('begins with the notice that nothing runs, on a line that can be copied', () => {
    const [first, second] = resultFor([], {}, 'run: toolsift trust x').instructions.split('\n');
    expect(first).toBe('run: toolsift trust x');
    expect(second).toMatch(/^The tools of more MCP servers/);
  });

  it('declares what the servers have that are known, and nothing else', () => {
    const known = {
      a: '{"capabilities":{"prompts":{},"x":{}}}',
      b: '{"capabilities":{"logging":{},"tasks":{}}}',
    };
    const result = resultFor([new FakeUpstream('a'), new FakeUpstream('b')], known);
    expect(passedOn(result)).toEqual(['logging', 'prompts', 'tasks', 'tools']);
  });

  it('declares what servers may have that nobody has seen yet', () => {
    expect(passedOn(resultFor([new FakeUpstream('a')]))).toEqual([
      ...['completions', 'logging', 'prompts', 'resources', 'tools'],
    ]);
  });

  it('declares nothing for servers that are switched off', () => {
    expect(passedOn(resultFor([new FakeUpstream('a', { state: 'disabled' })]))).toEqual(['tools']);
  });

  it.each(['null', '{}', '7', '{"capabilities":null}', '{"capabilities":[]}', '"x"'])(
    'takes the odd initialize result %s for one without capabilities',
    (odd) => {
      expect(passedOn(resultFor([new FakeUpstream('a')], { a: odd }))).toEqual(['tools']);
    },
  );
});

describe('the instructions', () => {
  it('say first what to do, within the characters that the stingiest host keeps', () => {
    const { instructions } = resultFor(servers(3, (index) => `s${index}`));
    expect(instructions.slice(0, 240)).toMatch(/search_tools.*invoke_tool/);
    expect(instructions).toContain('s0, s1, s2');
  });

  it('stay below 2 KB with 200 servers, and say how many are not named', () => {
    const { instructions } = resultFor(servers(200, (index) => `server-\u00e9-with-a-long-name-${index}`));
    expect(Buffer.byteLength(instructions)).toBeLessThan(MAX_INSTRUCTION_BYTES);
    expect(instructions).toMatch(/and 1\d\d more/);
  });
});

describe('the menu', () => {
  it.each([
    ['no server', 0],
    ['60 servers', 60],
    ['1000 servers', 1000],
  ])(`costs less than ${MAX_MENU_TOKENS} tokens with %s`, (_, count) => {
    const upstreams = viewsOf(...servers(count, (index) => `mcp-server-number-${index}`));
    const { list } = new AdvertisedTools({
      catalog: new Catalog(() => {}),
      upstreams,
      holders: new Map(),
      pinned: () => [],
    });
    const tokens = countTokens(list);
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThan(MAX_MENU_TOKENS);
  });

  it('says that search_tools and list_servers only read, and keeps all three in view', () => {
    const { list } = new AdvertisedTools({
      catalog: new Catalog(() => {}),
      upstreams: new Map(),
      holders: new Map(),
      pinned: () => [],
    });
    const tools = JSON.parse(list) as {
      name: string;
      annotations: { readOnlyHint: boolean };
      _meta: object;
    }[];
    expect(tools.map(({ name, annotations }) => [name, annotations.readOnlyHint])).toEqual([
      ['search_tools', true],
      ['invoke_tool', false],
      ['list_servers', true],
    ]);
    for (const { _meta } of tools) expect(_meta).toMatchObject({ 'anthropic/alwaysLoad': true });
  });
});

describe('answeredVersion', () => {
  it('is the version asked for where we know it, else our newest', () => {
    for (const version of PROTOCOL_VERSIONS) expect(answeredVersion(version)).toBe(version);
    for (const other of ['2026-07-28', '1.0', '', 7, null, undefined]) {
      expect(answeredVersion(other)).toBe(NEWEST_VERSION);
    }
    expect([...PROTOCOL_VERSIONS].sort().reverse()).toEqual([...PROTOCOL_VERSIONS]);
  });
});
