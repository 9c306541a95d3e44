import { describe, expect, it } from 'vitest';
import { ownInitializeParams, readInitialize } from '../../src/downstream/client-handshake.ts';
import { NEWEST_VERSION } from '../../src/mcp/protocol-version.ts';
import { requestFrame } from '../jsonrpc/messages.ts';

const hello = (params: string | undefined) =>
  readInitialize(
    requestFrame(
      `{"jsonrpc":"2.0","id":1,"method":"initialize"${params === undefined ? '' : `,"params":${params}`}}`,
    ),
  );

describe('readInitialize', () => {
  it('hands the parameters of the client on as they are', () => {
    const params = '{ "capabilities":{"x":1.0}, "protocolVersion":"2025-06-18" }';
    expect(hello(params)).toEqual({ protocolVersion: '2025-06-18', upstreamParams: params });
  });

  it.each(['"2026-07-28"', '7', 'null', '""'])('changes only the version where it is %s', (version) => {
    const write = (as: string) => `{"capabilities":{"x":1.0},"protocolVersion" : ${as}, "n":1e400}`;
    expect(hello(write(version))).toEqual({
      protocolVersion: NEWEST_VERSION,
      upstreamParams: write(JSON.stringify(NEWEST_VERSION)),
    });
  });

  it.each([undefined, '{}', '[]', 'null', '{"capabilities":{}}'])(
    'has no parameters to hand on for %s',
    (params) => {
      expect(hello(params)).toEqual({ protocolVersion: NEWEST_VERSION, upstreamParams: undefined });
    },
  );
});

describe('ownInitializeParams', () => {
  it('declares nothing', () => {
    expect(JSON.parse(ownInitializeParams('1.2.3'))).toEqual({
      protocolVersion: NEWEST_VERSION,
      capabilities: {},
      clientInfo: { name: 'toolsift', version: '1.2.3' },
    });
  });
});
