import { ToolsiftError } from '../../errors.ts';

export interface ListLimits {
  /** For all lists of a server together, in bytes. */
  readonly maxListBytes: number;
  /** Items in all lists of a server together. */
  readonly maxListItems: number;
}

/** What one reading of a server's lists may bring. */
export class ListBudget {
  readonly #limits: ListLimits;
  #bytes = 0;
  #items = 0;

  constructor(limits: ListLimits) {
    this.#limits = limits;
  }

  /** @throws ToolsiftError `upstream_lists_too_large` when a page of so many bytes is too much */
  takePage(bytes: number): void {
    this.#bytes += bytes;
    const { maxListBytes } = this.#limits;
    if (this.#bytes > maxListBytes) throw exceeded(`${maxListBytes} bytes`, 'maxListBytes');
  }

  /** @throws ToolsiftError `upstream_lists_too_large` when one more item is too much */
  takeItem(): void {
    this.#items++;
    const { maxListItems } = this.#limits;
    if (this.#items > maxListItems) throw exceeded(`${maxListItems} items`, 'maxListItems');
  }
}

function exceeded(limit: string, key: string): ToolsiftError {
  return new ToolsiftError(
    'upstream_lists_too_large',
    `lists more than ${limit} of tools, resources and prompts; raise "${key}" if that is right`,
  );
}
