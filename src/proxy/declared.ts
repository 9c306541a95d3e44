import { canonicalJson } from '../catalog/cache-key.ts';

/**
 * What a client declares that it can do: by it a server decides what it offers.
 *
 * @param initializeParams JSON text
 */
export function declaredIn(initializeParams: string): unknown {
  const params: unknown = JSON.parse(initializeParams);
  if (typeof params !== 'object' || params === null || !('capabilities' in params)) return {};
  return params.capabilities ?? {};
}

/** The same for all clients that declare the same. Neither the version nor the name of a client makes it another kind. */
export function kindOf(initializeParams: string): string {
  return canonicalJson(declaredIn(initializeParams));
}
