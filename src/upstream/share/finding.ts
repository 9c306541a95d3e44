import { ToolsiftError } from '../../errors.ts';
import type { Door } from './door.ts';
import type { OwnerLink } from './owner-link.ts';

/** Who runs the server: we do, and others come in through the door; or a process that we are connected to. */
export type Finding =
  | { readonly kind: 'self'; readonly door: Door }
  | { readonly kind: 'other'; readonly link: OwnerLink };

/** Nobody took over for too long. */
export function undecided(): ToolsiftError {
  return new ToolsiftError(
    'upstream_start_failed',
    'the toolsift process that shares this server has been starting or stopping it for too long',
  );
}
