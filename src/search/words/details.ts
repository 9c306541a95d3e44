/** Kinds of detail that a request may give and a tool may take, as bits. */
export const DETAIL = {
  date: 1,
  person: 2,
  url: 4,
  path: 8,
  number: 16,
  id: 32,
  text: 64,
  place: 128,
  query: 256,
} as const;

export const DETAIL_KINDS: readonly number[] = Object.values(DETAIL);

const ARGUMENT_WORDS: readonly (readonly [kind: number, words: string])[] = [
  [
    DETAIL.date,
    `date time datetime day since until before after start end from deadline due timestamp timezone period duration
    month year week checkin checkout expires scheduled timerange interval`,
  ],
  [
    DETAIL.person,
    `email emails user users username assignee assignees owner attendee attendees member members author recipient
    recipients to cc bcc person people contact participant participants reviewer reviewers login invitee`,
  ],
  [DETAIL.url, 'url urls uri link href website webpage domain site'],
  [DETAIL.path, 'path paths file files filename filepath directory folder dir source destination root'],
  [
    DETAIL.number,
    'number amount count price quantity size budget total value width height radius points estimate ratio percent',
  ],
  [DETAIL.id, 'id ids key keys identifier uuid guid slug ref sha gid issue pull'],
  [
    DETAIL.text,
    `text body content contents message description comment title name subject summary note markdown html notes prompt
    caption label labels`,
  ],
  [
    DETAIL.place,
    `location city country address place lat lng lon latitude longitude coordinates origin destination region zip
    postcode near bbox state`,
  ],
  [
    DETAIL.query,
    'query q search keyword keywords filter filters jql sql pattern term regex expression where',
  ],
];

let kindsByWord: Map<string, number> | undefined;

/** The kinds of detail that an argument takes, by the words of its name. */
export function kindsOfArgument(words: readonly string[]): number {
  kindsByWord ??= tableWords();
  let kinds = 0;
  for (const word of words) kinds |= kindsByWord.get(word) ?? 0;
  return kinds;
}

function tableWords(): Map<string, number> {
  const table = new Map<string, number>();
  for (const [kind, words] of ARGUMENT_WORDS) {
    for (const word of words.split(/\s+/)) table.set(word, (table.get(word) ?? 0) | kind);
  }
  return table;
}

const DATE =
  /\b(?:today|tonight|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:next|last|this|past) (?:week|month|year|night|quarter|spring|summer|autumn|fall|winter|few|\d+)|(?:jan|febr)uary|march|april|june|july|august|(?:septem|octo|novem|decem)ber|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?::\d{2})? ?[ap]m|at \d{1,2}(?::\d{2})?|noon|midnight|since|(?:19|20)\d{2})\b/i;
const PERSON =
  /[^\s@]{1,64}@[^\s@]{1,200}|\B@\w+|\b(?:to|with|for|from|by|and|invite|assign|tell|ask|let) [A-Z][a-z]+\b/;
const URL = /\bhttps?:\/\/|\bwww\.|\b[a-z0-9-]{2,40}\.(?:com|org|net|io|dev|example|ai)\b/i;
const PATH =
  /(?<!\S)[~.]{0,2}\/[\w./-]+|\b[\w-]{1,60}\.(?:[jt]sx?|json|py|md|txt|csv|xlsx?|docx?|pdf|png|jpe?g|svg|html?|ya?ml|toml|log|sql|zip|mp[34])\b/i;
const NUMBER = /\d/;
const ID = /\b[A-Z]{2,12}-[A-Z0-9]{1,12}\b|#\d+|\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,40}\b/;
const TEXT = /["“”]|(?<![\p{L}\p{N}])'[^'\n]{2,200}'|: \S/u;

const SIGNS: readonly (readonly [kind: number, sign: RegExp])[] = [
  [DETAIL.date, DATE],
  [DETAIL.person, PERSON],
  [DETAIL.url, URL],
  [DETAIL.path, PATH],
  [DETAIL.number, NUMBER],
  [DETAIL.id, ID],
  [DETAIL.text, TEXT],
];
const MAX_CHARACTERS = 1_000;

/** The kinds of detail that a request gives. */
export function kindsInRequest(request: string): number {
  const text = request.slice(0, MAX_CHARACTERS);
  let kinds = 0;
  for (const [kind, sign] of SIGNS) if (sign.test(text)) kinds |= kind;
  return kinds;
}
