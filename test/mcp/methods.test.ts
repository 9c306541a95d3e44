import { describe, expect, it } from 'vitest';
import { changedList } from '../../src/mcp/list-changed.ts';
import { isHousekeeping } from '../../src/mcp/methods.ts';

describe('isHousekeeping', () => {
  it.each(['ping', 'tools/list', 'resources/templates/list', 'logging/setLevel', 'resources/unsubscribe'])(
    'counts %s',
    (method) => expect(isHousekeeping(method)).toBe(true),
  );

  it.each(['tools/call', 'resources/read', 'completion/complete', 'vendor/listen', 'list'])(
    'does not count %s',
    (method) => expect(isHousekeeping(method)).toBe(false),
  );
});

describe('changedList', () => {
  it('names the list that a notification is about', () => {
    expect(changedList('notifications/prompts/list_changed')).toBe('prompts');
    expect(changedList('notifications/roots/list_changed')).toBeUndefined();
  });
});
