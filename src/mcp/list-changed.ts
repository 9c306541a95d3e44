import type { Method } from './methods.ts';

/** The lists of a server whose changes it announces. */
export type ChangingList = 'tools' | 'resources' | 'prompts';

export const TOOLS_LIST_CHANGED = 'notifications/tools/list_changed' satisfies Method;
export const RESOURCES_LIST_CHANGED = 'notifications/resources/list_changed' satisfies Method;
export const PROMPTS_LIST_CHANGED = 'notifications/prompts/list_changed' satisfies Method;

const LIST_OF: ReadonlyMap<string, ChangingList> = new Map([
  [TOOLS_LIST_CHANGED, 'tools'],
  [RESOURCES_LIST_CHANGED, 'resources'],
  [PROMPTS_LIST_CHANGED, 'prompts'],
]);

/** The list that a notification says has changed; undefined when it says nothing of the kind. */
export function changedList(method: string): ChangingList | undefined {
  return LIST_OF.get(method);
}
