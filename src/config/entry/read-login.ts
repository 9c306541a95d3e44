import { type LoginSettings, readLogin } from '../schema/login-keys.ts';
import type { Entry } from '../schema/schema.ts';
import { type EntryReading, expandMap } from './entry-reading.ts';

/** What the entry says of logging in, with variables filled in; undefined where it says nothing. */
export function readLoginOf({ login }: Entry, reading: EntryReading): LoginSettings | undefined {
  if (login === undefined) return undefined;
  const written = Object.entries(login).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  );
  const settings = readLogin(expandMap(Object.fromEntries(written), 'login', reading));
  const fault = (text: string) => reading.faults.push({ text });
  const { grant, clientId, clientSecret, issuer } = settings;
  if (clientSecret !== undefined && (clientId === undefined || issuer === undefined)) {
    fault('"login.clientSecret" needs "login.clientId" and "login.issuer" beside it');
  }
  if (grant === 'client_credentials' && clientSecret === undefined) {
    fault(
      '"login.grant" is "client_credentials", which needs "login.clientId", "login.clientSecret" and "login.issuer"',
    );
  }
  return settings;
}
