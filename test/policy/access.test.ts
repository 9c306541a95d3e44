import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRule, accessOf, type Caller } from '../../src/policy/access.ts';

const servers = fc.constantFrom('docs', 'mail', 'owner/name', 'owner');
const items = fc.constantFrom('read', 'write', 'name/read', 'file:///a/b', '');
const patterns = fc.constantFrom(
  '*',
  'docs',
  'docs/*',
  'docs/re*',
  'owner/name/*',
  'owner/*',
  '*/read',
  'mail/write',
);
const subjects = fc.constantFrom('alice', 'bob', 'ci-1');
const rule: fc.Arbitrary<AccessRule> = fc.record(
  {
    subjects: fc.array(fc.constantFrom('alice', 'bob', 'ci-*', '*'), { maxLength: 2 }),
    claims: fc.dictionary(fc.constantFrom('scope', 'groups'), fc.constantFrom('mcp', 'team-*'), {
      maxKeys: 1,
    }),
    allow: fc.array(patterns, { maxLength: 3 }),
    deny: fc.array(patterns, { maxLength: 2 }),
  },
  { requiredKeys: ['allow', 'deny'] },
);
const caller: fc.Arbitrary<Caller> = fc.record({
  subject: subjects,
  claims: fc.record({
    scope: fc.constantFrom('mcp', 'mcp other', 'other'),
    groups: fc.constantFrom<readonly string[]>([], ['team-a'], ['x', 'team-b']),
  }),
});
const alice: Caller = { subject: 'alice', claims: {} };
const grant = (allow: readonly string[], deny: readonly string[] = []) => accessOf(alice, [{ allow, deny }]);

describe('accessOf', () => {
  it('grants no more by denying something as well, and no less by allowing something as well', () => {
    fc.assert(
      fc.property(caller, fc.array(rule), patterns, servers, items, (who, rules, pattern, server, item) => {
        const before = accessOf(who, rules).allows(server, item);
        const denied = accessOf(who, [...rules, { allow: [], deny: [pattern] }]).allows(server, item);
        const allowed = accessOf(who, [...rules, { allow: [pattern], deny: [] }]).allows(server, item);
        if (denied) expect(before).toBe(true);
        if (before) expect(allowed).toBe(true);
      }),
    );
  });

  it('shows the server of everything it allows', () => {
    fc.assert(
      fc.property(caller, fc.array(rule), servers, items, (who, rules, server, item) => {
        const access = accessOf(who, rules);
        if (access.allows(server, item)) expect(access.seesServer(server)).toBe(true);
      }),
    );
  });

  it('does not depend on the order of the rules, nor on rules for others', () => {
    fc.assert(
      fc.property(caller, fc.array(rule), servers, items, (who, rules, server, item) => {
        const allows = accessOf(who, rules).allows(server, item);
        expect(accessOf(who, rules.toReversed()).allows(server, item)).toBe(allows);
        const foreign = { subjects: ['somebody'], allow: ['*'], deny: ['*'] };
        expect(accessOf(who, [...rules, foreign]).allows(server, item)).toBe(allows);
      }),
    );
  });

  it('denies what a rule denies, whatever another allows', () => {
    fc.assert(
      fc.property(fc.array(rule), patterns, servers, items, (rules, pattern, server, item) => {
        const all = accessOf(alice, [{ allow: [pattern], deny: [] }]).allows(server, item);
        if (all)
          expect(accessOf(alice, [...rules, { allow: ['*'], deny: [pattern] }]).allows(server, item)).toBe(
            false,
          );
      }),
    );
  });

  it('allows everything where there are no rules, and nothing to a caller that no rule concerns', () => {
    expect(accessOf(alice, undefined).allows('docs', 'read')).toBe(true);
    expect(accessOf(alice, []).allows('docs', 'read')).toBe(false);
    const access = accessOf(alice, [{ subjects: ['bob'], allow: ['*'], deny: [] }]);
    expect(access.allows('docs', 'read')).toBe(false);
    expect(access.seesServer('docs')).toBe(false);
  });

  it.each([
    ['docs', 'docs', 'read', true],
    ['docs/*', 'docs', 'file:///a/b', true],
    ['docs/read', 'docs', 'read', true],
    ['docs/read', 'docs', 'reader', false],
    ['docs/read', 'Docs', 'read', false],
    ['owner/name/read', 'owner/name', 'read', true],
    ['*/read', 'docs', 'read', true],
    ['docs*', 'docs-internal', 'read', true],
    ['docs/*', 'docs-internal', 'read', false],
    ['docs/*', 'docs/other', 'read', false],
  ])('%s over %s and %s: %s', (pattern, server, item, expected) => {
    expect(grant([pattern]).allows(server, item)).toBe(expected);
  });

  it('hides a server of which everything is denied, and shows one of which something is', () => {
    expect(grant(['*'], ['mail']).seesServer('mail')).toBe(false);
    expect(grant(['*'], ['mail/*']).seesServer('mail')).toBe(false);
    expect(grant(['*'], ['mail/send']).seesServer('mail')).toBe(true);
  });

  it('finds a claim as it is, among the words of a text and the items of a list, and not in what all objects have', () => {
    const reaches = (claims: Record<string, unknown>, wanted: Record<string, string>) =>
      accessOf({ subject: 'a', claims }, [{ claims: wanted, allow: ['*'], deny: [] }]).allows('docs', 'read');
    expect(reaches({ scope: 'mcp:read mcp:write' }, { scope: 'mcp:write' })).toBe(true);
    expect(reaches({ groups: ['a', 'b'] }, { groups: 'b' })).toBe(true);
    expect(reaches({ admin: true }, { admin: 'true' })).toBe(true);
    expect(reaches({ groups: ['ab'] }, { groups: 'b' })).toBe(false);
    expect(reaches({ groups: { b: 1 } }, { groups: '*' })).toBe(false);
    expect(reaches({}, { toString: '*' })).toBe(false);
    expect(reaches({ scope: 'mcp', groups: 'x' }, { scope: 'mcp', groups: 'y' })).toBe(false);
  });
});
