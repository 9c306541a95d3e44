import type { ClientCapabilities, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { CREATE_MESSAGE, ELICIT, LIST_ROOTS } from './methods.ts';

export type ServerCapability = keyof ServerCapabilities & string;
export type ClientCapability = keyof ClientCapabilities & string;

/**
 * Names of the capabilities that one side of a handshake declares.
 *
 * @param handshake the value of the `params` or of the `result` of `initialize`
 */
export function capabilityNames(handshake: unknown): ReadonlySet<string> {
  if (typeof handshake !== 'object' || handshake === null) return new Set();
  const { capabilities } = handshake as { capabilities?: unknown };
  return new Set(typeof capabilities === 'object' && capabilities !== null ? Object.keys(capabilities) : []);
}

const NEEDED_OF_CLIENT: ReadonlyMap<string, ClientCapability> = new Map([
  [CREATE_MESSAGE, 'sampling'],
  [ELICIT, 'elicitation'],
  [LIST_ROOTS, 'roots'],
]);

/** What a client must have declared before it may be asked for this; undefined where the protocol names nothing. */
export function neededOfClient(method: string): ClientCapability | undefined {
  return NEEDED_OF_CLIENT.get(method);
}
