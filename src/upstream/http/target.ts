import type { HttpServerConfig } from '../../config/config.ts';
import { ToolsiftError } from '../../errors.ts';
import { type Quote, quoteOf, Redactor } from '../redact.ts';
import { basicCredentials } from './basic-credentials.ts';
import { Access } from './login/access.ts';
import type { LoginStore } from './login/login-store.ts';

/** Written by the protocol or by HTTP itself; an entry that sets them would break every request. */
const RESERVED_HEADER = /^(content-length|transfer-encoding|connection|mcp-session-id)$/i;

/** The server an entry names: where it is, what every request to it carries, and how to speak of it. */
export interface HttpTarget {
  readonly name: string;
  /** Without credentials: those travel in a header. */
  readonly url: URL;
  /** What every request carries by the entry. */
  readonly headers: Headers;
  /** What a login gives requests; undefined where the entry has credentials of its own. */
  readonly access: Access | undefined;
  /** The URL for people: neither credentials nor query, nor tokens in its path. */
  readonly shownUrl: string;
  /** What may be shown of something the server said. */
  readonly quote: Quote;
}

/** @throws ToolsiftError when the entry cannot be turned into HTTP requests; its message shows no value */
export function targetOf(config: HttpServerConfig, logins: LoginStore | undefined): HttpTarget {
  if (!URL.canParse(config.url)) throw invalid('"url" is not a URL; write it in full, with https://');
  const url = new URL(config.url);
  if (!/^https?:$/.test(url.protocol))
    throw invalid(`"url" begins with ${url.protocol}; only http and https do`);
  const headers = headersOf(config);
  const credentials = basicCredentials(url);
  if (credentials !== undefined && !headers.has('authorization')) headers.set('authorization', credentials);
  url.username = '';
  url.password = '';
  const isOpen = logins !== undefined && !headers.has('authorization');
  const access = isOpen ? new Access({ store: logins, url, settings: config.login ?? {} }) : undefined;
  const quoteAll = quoteOf(config);
  const quote: Quote = (text, cut = {}) => {
    const tokens = new Redactor((access?.secrets ?? []).map((value) => ({ value, isStrong: true })));
    return quoteAll(tokens.hide(text, cut), cut);
  };
  return { name: config.name, url, headers, access, shownUrl: quote(shown(url)), quote };
}

/** A URL without user info, query and fragment. */
export function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function headersOf({ headers }: HttpServerConfig): Headers {
  const checked = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED_HEADER.test(name)) throw invalid(`the header "${name}" is not one to configure; remove it`);
    try {
      checked.append(name, value);
    } catch {
      // The error would quote the value.
      throw invalid(`the header "${name}" has a name or a value that HTTP does not allow`);
    }
  }
  return checked;
}

function invalid(reason: string): ToolsiftError {
  return new ToolsiftError('server_config_invalid', reason);
}
