import { describe, expect, it } from 'vitest';
import { capabilityNames, neededOfClient } from '../../src/mcp/capabilities.ts';

describe('capabilityNames', () => {
  it('reads them off a handshake', () => {
    expect([...capabilityNames({ capabilities: { tools: {}, logging: null } })]).toEqual([
      'tools',
      'logging',
    ]);
  });

  it.each([[null], [undefined], ['text'], [{}], [{ capabilities: null }], [{ capabilities: 'x' }]])(
    'finds none in %j',
    (handshake) => {
      expect([...capabilityNames(handshake)]).toEqual([]);
    },
  );
});

describe('neededOfClient', () => {
  it('names what a client must have declared, and nothing for methods of others', () => {
    expect(neededOfClient('sampling/createMessage')).toBe('sampling');
    expect(neededOfClient('vendor/ask')).toBeUndefined();
  });
});
