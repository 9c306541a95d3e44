import { describe, expect, it } from 'vitest';
import { MAX_REASON_LENGTH } from '../../src/foreign-text.ts';
import { handshakeTimeout, shownStatus } from '../../src/upstream/shown-status.ts';

const NOTHING = { problem: undefined, printed: undefined };

describe('a status as it is shown', () => {
  it('stays within its budget, on one line, whatever a server or its entry says', () => {
    const status = { state: 'failed', since: 1, reason: `no\n\u001b[31m${'x'.repeat(3_000_000)}` } as const;
    const { reason = '' } = shownStatus(status, NOTHING);
    expect(reason.length).toBe(MAX_REASON_LENGTH);
    expect(reason).toMatch(/^no x+…$/);
  });

  it('says of a silent server what it printed instead of an answer', () => {
    const starting = { state: 'starting', since: 1, reason: 'has not answered initialize yet' } as const;
    const printed = 'Listening on http://localhost:3000';
    expect(shownStatus(starting, { problem: undefined, printed }).reason).toBe(
      'has not answered initialize yet; it printed: Listening on http://localhost:3000',
    );
    expect(handshakeTimeout(60_000, printed).message).toMatch(
      /within 60 s; it printed: Listening on .*3000; check/,
    );
  });

  it('says of a server that is up what could not be read', () => {
    expect(shownStatus({ state: 'ready', since: 1 }, { problem: 'did not list', printed: 'hello' })).toEqual({
      state: 'ready',
      since: 1,
      reason: 'did not list',
    });
    expect(shownStatus({ state: 'ready', since: 1 }, NOTHING)).toEqual({ state: 'ready', since: 1 });
  });
});
