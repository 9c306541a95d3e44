/** How a server refused a request, as far as it says: RFC 6750 and RFC 9728. */
export interface Challenge {
  readonly status: number;
  readonly error?: string | undefined;
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
}

const PARAMETER = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;
/** A header is no longer than this. */
const MAX_LENGTH = 16 * 1024;

/** Reads `WWW-Authenticate`; only what stands under the scheme `Bearer` counts. */
export function readChallenge(status: number, header: string | undefined): Challenge {
  const [, text] = /(?:^|,)\s*bearer\s+(.*)$/is.exec((header ?? '').slice(0, MAX_LENGTH)) ?? [];
  if (text === undefined) return { status };
  const parameters = new Map(
    [...text.matchAll(PARAMETER)].map(([, name = '', quoted, bare]) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/gs, '$1') ?? bare,
    ]),
  );
  const metadata = parameters.get('resource_metadata');
  return {
    status,
    error: parameters.get('error'),
    scope: parameters.get('scope'),
    resourceMetadataUrl: metadata !== undefined && URL.canParse(metadata) ? new URL(metadata) : undefined,
  };
}

/** Whether a request was understood and its sender known, but not allowed to do this. */
export function wantsMoreScope({ status, error }: Challenge): boolean {
  return status === 403 && error === 'insufficient_scope';
}
