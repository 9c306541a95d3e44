import { describe, expect, it } from 'vitest';
import { nameServers } from '../../../src/downstream/lists/server-names.ts';
import { FakeUpstream, viewsOf } from '../fake-upstream.ts';

const named = (...names: string[]) => nameServers(viewsOf(...names.map((name) => new FakeUpstream(name))));

describe('nameServers', () => {
  it('reads as a part of a sentence', () => {
    expect(named('github')).toBe('the MCP server github');
    expect(named('github', 'slack')).toBe('the MCP servers github, slack');
    expect(named()).toMatch(/none is configured yet/);
  });

  it('leaves out servers that are switched off', () => {
    const upstreams = viewsOf(new FakeUpstream('on'), new FakeUpstream('off', { state: 'disabled' }));
    expect(nameServers(upstreams)).toBe('the MCP server on');
  });

  it('counts the names there is no room for', () => {
    const text = named(...Array.from({ length: 100 }, (_, index) => `server-${index}`));
    expect(text.length).toBeLessThan(350);
    const [, shown = '', rest] = /servers (.*) and (\d+) more$/.exec(text) ?? [];
    expect(shown.split(', ').length + Number(rest)).toBe(100);
  });

  it('always names one, however long', () => {
    expect(named('n'.repeat(400), 'b')).toBe(`the MCP servers ${'n'.repeat(400)} and 1 more`);
  });
});
