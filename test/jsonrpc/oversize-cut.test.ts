import { expect, it } from 'vitest';
import { readOversize } from '../../src/jsonrpc/oversize.ts';

it('an id that the cut runs through is not taken for a shorter one', () => {
  const message = Buffer.from(
    `{"jsonrpc":"2.0","x":"${'y'.repeat(2000)}","id":12345,"result":"${'z'.repeat(2000)}"}`,
  );
  const idAt = message.indexOf('12345');
  for (let cut = idAt - 2; cut <= idAt + 8; cut++) {
    expect([undefined, '12345']).toContain(readOversize(message.subarray(0, cut), message.subarray(-512)).id);
  }
});
