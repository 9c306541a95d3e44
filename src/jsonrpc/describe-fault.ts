import { errorText, tooLarge } from '../errors.ts';
import type { LinkFault } from './link.ts';

/**
 * What a fault of a link was, for the log.
 *
 * @param quote what may be shown of something the other side wrote
 */
export function describeFault(fault: LinkFault, quote: (text: string) => string): string {
  switch (fault.kind) {
    case 'junk':
      return `wrote something that is no JSON-RPC message: ${quote(fault.line)}`;
    case 'oversize':
      return `sent a message that was dropped: ${tooLarge(fault.bytes, fault.limit).message}`;
    case 'lost':
      return `will not answer a request: ${errorText(fault.error)}`;
    case 'bug':
      return `met a bug of toolsift: ${fault.error instanceof Error ? fault.error.stack : String(fault.error)}`;
  }
}
