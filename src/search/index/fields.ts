/** What a word was found in. The numbers are stored in postings and in the persisted form. */
export const FIELDS = [
  'name',
  'title',
  'server',
  'summary',
  'argumentNames',
  'enumValues',
  'argumentDescriptions',
  'description',
] as const;

export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT = FIELDS.length;
export const NAME = 0;
export const TITLE = 1;
export const SERVER = 2;
export const SUMMARY = 3;
export const ARGUMENT_NAMES = 4;
export const ENUM_VALUES = 5;
export const ARGUMENT_DESCRIPTIONS = 6;
export const DESCRIPTION = 7;
