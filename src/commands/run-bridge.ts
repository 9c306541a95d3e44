import type { HttpServerConfig } from '../config/config.ts';
import { DEFAULT_FILE_SETTINGS } from '../config/schema/file-keys.ts';
import { DEFAULT_RUN_SETTINGS } from '../config/schema/run-keys.ts';
import { errorText } from '../errors.ts';
import { excerpt } from '../foreign-text.ts';
import { describeFault } from '../jsonrpc/describe-fault.ts';
import { joinLinks } from '../jsonrpc/join-links.ts';
import { StreamLink } from '../jsonrpc/stream-link.ts';
import type { Logger } from '../log.ts';
import { HttpLink } from '../upstream/http/http-link.ts';
import { onEndingSignal } from './ending-signals.ts';
import { DONE, FAILED } from './exit-codes.ts';

/** Lets us in where the server asks who we are. */
const TOKEN_VARIABLE = 'TOOLSIFT_TOKEN';

/**
 * Puts a client that speaks only stdio through to a server at an address, until either side ends it. Nothing of this
 * machine's configuration counts.
 *
 * @returns the exit code: 0 when the client left, 1 when the server cannot be reached, 128 + n after signal n
 * @throws ToolsiftError `server_config_invalid` when the address is none
 */
export async function runBridge(url: string, log: Logger): Promise<number> {
  const { maxMessageBytes } = DEFAULT_FILE_SETTINGS;
  const server = new HttpLink(targetFor(url), { maxMessageBytes });
  const client = new StreamLink({ input: process.stdin, output: process.stdout, maxMessageBytes });
  const ended = joinLinks({
    client,
    server,
    onfault: (fault, side) => log.warn(`the ${side} ${describeFault(fault, excerpt)}`),
  }).then((reason) => {
    if (process.stdin.readableEnded || process.stdin.destroyed) return DONE;
    log.error(`the connection has ended: ${errorText(reason)}`);
    return FAILED;
  });
  const signalled = new Promise<number>((resolve) => onEndingSignal(resolve));
  const exitCode = await Promise.race([ended, signalled]);
  await server.close();
  return exitCode;
}

function targetFor(url: string): HttpServerConfig {
  const token = process.env[TOKEN_VARIABLE];
  const isGiven = token !== undefined && token !== '';
  return {
    ...DEFAULT_RUN_SETTINGS,
    name: 'bridge',
    kind: 'http',
    transport: 'auto',
    url,
    headers: isGiven ? { authorization: `Bearer ${token}` } : {},
    fromVariables: isGiven ? [{ name: TOKEN_VARIABLE, value: token }] : [],
  };
}
