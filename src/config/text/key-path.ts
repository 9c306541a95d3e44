import type { Path } from './json-value.ts';

/** `servers.github.args[1]`, as messages name a place in the file. */
export function keyPath(path: Path): string {
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${key}`))
    .join('');
}
