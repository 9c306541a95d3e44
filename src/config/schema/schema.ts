import type * as z from 'zod/mini';
import { entryKeys } from './entry-keys.ts';
import { fileKeys } from './file-keys.ts';
import { objectOf } from './rules.ts';

export const entrySchema = objectOf(entryKeys, 'must be an object, {"command": …} or {"url": …}');
export const fileSchema = objectOf(fileKeys, 'must be an object, {"servers": …}');

/** An entry in our own spellings, once it fits the schema. */
export type Entry = z.infer<typeof entrySchema>;
