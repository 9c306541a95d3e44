import { matchesGlob } from './glob.ts';
import { ServerPattern } from './server-pattern.ts';

/** Who asks, as whatever checked the credentials says. */
export interface Caller {
  /** Name of a configured token, or the subject of an access token. */
  readonly subject: string;
  /** What else the access token says; empty for a configured token. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** One of the `access` rules of `toolsift.json`. It concerns a caller who fits everything it names. */
export interface AccessRule {
  /** Patterns of subjects, one of which has to fit; any subject where absent. */
  readonly subjects?: readonly string[];
  /** Patterns by claim, all of which have to fit: the claim itself, one item of a list, or one word of a text. */
  readonly claims?: Readonly<Record<string, string>>;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** What a caller can reach. What it cannot reach does not exist for it. */
export interface Access {
  /** The same for all that can reach the same. */
  readonly key: string;
  readonly isRestricted: boolean;
  /** Whether the caller knows of the server. */
  seesServer(server: string): boolean;
  /** @param item name of a tool or a prompt, or URI of a resource */
  allows(server: string, item: string): boolean;
}

export const FULL_ACCESS: Access = {
  key: '',
  isRestricted: false,
  seesServer: () => true,
  allows: () => true,
};

/**
 * What rules grant a caller: what one of those that concern it allows and none of them denies. Without rules
 * everything is allowed; a caller that no rule concerns reaches nothing.
 */
export function accessOf(caller: Caller, rules: readonly AccessRule[] | undefined): Access {
  if (rules === undefined) return FULL_ACCESS;
  const own = rules.filter((rule) => concerns(rule, caller));
  const allowed = [...new Set(own.flatMap((rule) => rule.allow))].sort();
  const denied = [...new Set(own.flatMap((rule) => rule.deny))].sort();
  const allow = allowed.map((pattern) => new ServerPattern(pattern));
  const deny = denied.map((pattern) => new ServerPattern(pattern));
  return {
    key: JSON.stringify([allowed, denied]),
    isRestricted: true,
    seesServer: (server) =>
      allow.some((pattern) => pattern.touches(server)) && !deny.some((pattern) => pattern.covers(server)),
    allows: (server, item) =>
      allow.some((pattern) => pattern.matches(server, item)) &&
      !deny.some((pattern) => pattern.matches(server, item)),
  };
}

function concerns({ subjects, claims }: AccessRule, caller: Caller): boolean {
  if (subjects !== undefined && !subjects.some((pattern) => matchesGlob(pattern, caller.subject)))
    return false;
  return Object.entries(claims ?? {}).every(([name, pattern]) =>
    valuesOf(Object.hasOwn(caller.claims, name) ? caller.claims[name] : undefined).some((value) =>
      matchesGlob(pattern, value),
    ),
  );
}

/** A claim as the texts that it may be matched by: scopes come as words of one text, groups as a list. */
function valuesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim, ...claim.split(' ')];
  if (typeof claim === 'number' || typeof claim === 'boolean') return [String(claim)];
  return Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : [];
}
