import { readSettings, type SettingKey } from './key.ts';

const MEGABYTE = 1024 * 1024;
const MINUTE_MS = 60_000;

/** How `toolsift serve` serves. */
export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  /** Where MCP is spoken, beginning with a slash. */
  readonly path: string;
  /** Our address as clients know it; the address of each request where absent. */
  readonly publicUrl?: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxSessions: number;
  readonly maxSessionsPerCaller: number;
  readonly maxOpenCalls: number;
  readonly idleSessionMs: number;
  /** How long calls that were begun may take once we are asked to stop. */
  readonly drainMs: number;
}

export const DEFAULT_SERVE_SETTINGS: ServeSettings = {
  host: '127.0.0.1',
  port: 3333,
  path: '/mcp',
  allowedHosts: [],
  allowedOrigins: [],
  maxBodyBytes: 16 * MEGABYTE,
  maxSessions: 1000,
  maxSessionsPerCaller: 250,
  maxOpenCalls: 64,
  idleSessionMs: 30 * MINUTE_MS,
  drainMs: 10_000,
};

export const serveKeys = {
  host: serveKey({
    rule: (is) => is.nonEmptyText,
    description:
      'Address to listen on. Other than this machine\'s own ("127.0.0.1", "::1", "localhost") only with "auth". Default: "127.0.0.1".',
    set: (host) => ({ host }),
  }),
  port: serveKey({
    rule: (is) => is.wholeNumber(0, 65_535),
    description: 'Port to listen on; 0 takes a free one. Default: 3333.',
    set: (port) => ({ port }),
  }),
  path: serveKey({
    rule: (is) => is.pathText,
    description: 'Where MCP is spoken, beginning with a slash. Default: "/mcp".',
    set: (path) => ({ path }),
  }),
  publicUrl: serveKey({
    rule: (is) => is.webAddress,
    description:
      'The address clients use, e.g. behind a proxy: "https://mcp.example.com/mcp". It is what access tokens are made for. Default: that of each request.',
    set: (publicUrl) => ({ publicUrl }),
  }),
  allowedHosts: serveKey({
    rule: (is) => is.listOf(is.nonEmptyText, 'must be a list of host names'),
    description:
      'Names requests may be made to besides "host", without port; "*" for any. All others are refused, so that no web page can reach us by rebinding its name. Default: [].',
    set: (allowedHosts) => ({ allowedHosts }),
  }),
  allowedOrigins: serveKey({
    rule: (is) => is.listOf(is.nonEmptyText, 'must be a list of origins, e.g. "https://app.example.com"'),
    description: 'Origins whose web pages may speak to us and read the answers; "*" for any. Default: [].',
    set: (allowedOrigins) => ({ allowedOrigins }),
  }),
  maxBodyBytes: serveKey({
    rule: (is) => is.wholeNumber(1024, 256 * MEGABYTE),
    description: `Longest message accepted from a client, in bytes. Default: ${16 * MEGABYTE} (16 MiB).`,
    set: (maxBodyBytes) => ({ maxBodyBytes }),
  }),
  maxSessions: serveKey({
    rule: (is) => is.wholeNumber(1, 100_000),
    description:
      'Sessions at a time. The one that has not been used for longest makes room, if that is a minute. Default: 1000.',
    set: (maxSessions) => ({ maxSessions }),
  }),
  maxSessionsPerCaller: serveKey({
    rule: (is) => is.wholeNumber(1, 100_000),
    description: 'Sessions of one caller at a time, where callers are told apart by "auth". Default: 250.',
    set: (maxSessionsPerCaller) => ({ maxSessionsPerCaller }),
  }),
  maxOpenCalls: serveKey({
    rule: (is) => is.wholeNumber(1, 100_000),
    description: 'Requests of one session that may wait for their answers at a time. Default: 64.',
    set: (maxOpenCalls) => ({ maxOpenCalls }),
  }),
  idleSessionMinutes: serveKey({
    rule: (is) => is.number(0.01, 35_000, 'must be a number of minutes above 0'),
    description:
      'Ends a session that nobody has used for so long: no request, no open stream, in minutes. Default: 30.',
    set: (minutes) => ({ idleSessionMs: Math.round(minutes * MINUTE_MS) }),
  }),
  drainSeconds: serveKey({
    rule: (is) => is.number(0, 3600, 'must be a number of seconds'),
    description: 'How long calls that were begun may take after SIGTERM, in seconds. Default: 10.',
    set: (seconds) => ({ drainMs: Math.round(seconds * 1000) }),
  }),
};

export function readServeSettings(written: Readonly<Record<string, unknown>>): ServeSettings {
  return readSettings(serveKeys, written, DEFAULT_SERVE_SETTINGS);
}

function serveKey<T>(key: SettingKey<T, ServeSettings>): SettingKey<T, ServeSettings> {
  return key;
}
