import type { Entry } from '../schema/schema.ts';
import { type EntryReading, expandMap, expandValue, givenBy } from './entry-reading.ts';
import { readLoginOf } from './read-login.ts';
import type { HttpServerConfig, ServerSettings } from './server-config.ts';

export function readHttp(
  settings: ServerSettings & Pick<HttpServerConfig, 'transport'>,
  writtenUrl: string,
  entry: Entry,
  reading: EntryReading,
): HttpServerConfig {
  const fault = (text: string) => reading.faults.push({ text });
  const url = expandValue(writtenUrl, 'url', reading);
  const isComplete = reading.place.env === undefined ? !/\$\{|\{env:/.test(url) : reading.faults.length === 0;
  if (isComplete && !/^https?:$/.test(protocolOf(url))) {
    fault('"url" is no http:// or https:// address; write it in full');
  }
  const headers = expandMap(entry.headers ?? {}, 'headers', reading);
  for (const [key, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(key)) fault(`"headers.${key}" is no name for an HTTP header`);
    else if (/[\r\n]/.test(value)) fault(`"headers.${key}" has a line break, which HTTP does not allow`);
  }
  const login = readLoginOf(entry, reading);
  return {
    kind: 'http',
    ...settings,
    url,
    headers,
    ...(login === undefined ? {} : { login }),
    ...givenBy(reading),
  };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
