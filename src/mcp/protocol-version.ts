/** Versions we speak, newest first. */
export const PROTOCOL_VERSIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;

export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

export const NEWEST_VERSION = PROTOCOL_VERSIONS[0];

/** The version to answer with: the client's where we know it, else our newest. */
export function answeredVersion(asked: unknown): ProtocolVersion {
  return PROTOCOL_VERSIONS.find((version) => version === asked) ?? NEWEST_VERSION;
}
