import type { HttpServerConfig, ServerSettings } from '../config.ts';
import type { Entry } from '../schema/schema.ts';
import { type EntryReading, expand, expandMap } from './entry-reading.ts';

export function readHttp(
  settings: ServerSettings,
  writtenUrl: string,
  entry: Entry,
  transport: 'http' | 'sse' | 'auto',
  reading: EntryReading,
): HttpServerConfig {
  const url = expand(writtenUrl, 'url', reading);
  const isComplete = reading.place.env === undefined ? !/\$\{|\{env:/.test(url) : reading.faults.length === 0;
  if (isComplete && !/^https?:$/.test(protocolOf(url))) {
    reading.faults.push('"url" is no http:// or https:// address; write it in full');
  }
  const headers = expandMap(entry.headers ?? {}, 'headers', reading);
  for (const [key, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(key))
      reading.faults.push(`"headers.${key}" is no name for an HTTP header`);
    else if (/[\r\n]/.test(value))
      reading.faults.push(`"headers.${key}" has a line break, which HTTP does not allow`);
  }
  return { kind: 'http', ...settings, transport, url, headers };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
