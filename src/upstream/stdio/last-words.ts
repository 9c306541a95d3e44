const SHOWN_LINES = 4;
const SHOWN_CHARACTERS = 400;
/** Of several lines that name a cause the last ones count: first tries and what follows from them come before. */
const MOST_CAUSES = 3;
const MARK = '…';

/** What programs print below or between the lines that say what went wrong. */
const NOT_TELLING = [
  // Frames, brackets, versions, quoted code.
  /^(at |\.\.\. \d+ more|Node\.js v\d|[\s{}()[\],;^~-]*$|(code|errno|syscall|path|address|port|requireStack|generatedMessage|actual|expected|operator): )/,
  /^(node:internal|throw \w+;?$|File "[^"]+", line \d+|Traceback \(most recent|\[?During handling of|The above exception was|Require stack:|- \/|\/\S+:\d+$|\d+ \| |\(Use `?node |\(node:\d+\) (\[\w+\] )?\w*Warning)/,
  // Notices, hints and summaries of whatever fetched or ran the program.
  /^npm (notice|warn|WARN|info|verb|timing)\b/,
  /^npm (error|ERR!)( (code|errno|syscall|path|command|cwd|workspace|location)\b.*|\s*(\d+\s*)?|\s+\/.*)$/,
  /^npm (error|ERR!) (\d+ )?\s*(A complete log|Note that you can|This is (a problem related|probably not)|If you are behind|Did you mean|Lifecycle script|In most cases|network |You can (also )?(visit|find)|The operation was rejected|It is likely you do not have|permissions of the file)/,
  /^npm (error|ERR!) .*_logs.*debug/,
  /^(hint|help|note|warning|info|debug|trace|notice)(\[\w+\])?:|^\[(notice|info|debug)\]|^(DEBUG|INFO|TRACE|NOTICE)\b/i,
  /^(Resolved|Prepared|Installed|Uninstalled|Audited|Downloading|Downloaded|Building|Built|Updated|Updating|Using (Python|CPython)|Collecting|Requirement already|Removed|Saved lockfile|Resolving) /,
  /^(See|Run) ['"`].*(--help|help)|^For more (help|information)|^Try ['"`].*--help|^(Usage|Options|Commands|Arguments|Examples?):|^usage: |^--?\w[\w-]*[ ,=]/,
  /^Unable to find image .* locally|^Status: Downloaded|^Digest: |^[0-9a-f]{12}: /,
  /^info Visit |^error Command failed with exit code|^ELIFECYCLE|^\s*(exit status|exited with( code)?) \d+$|^make: \*\*\*/,
  /^(shutting down|shutdown( complete)?|server (closed|stopped)|goodbye|bye|exiting|stopped|closing|done)\b[.!…]*$/i,
];

/** What the lines that name a cause have in common, in the programs that servers are started by and written with. */
const CAUSE =
  /\b\w*(Error|Exception|Panic)\b(:|\s|$)|\b(error|fatal|panic(ked)?|cannot|could not|couldn't|can't|unable|not found|no such|denied|refused|missing|required|requires|invalid|unsupported|unsatisfiable|already in use|must (be|have|set)|(is |was )?not (set|defined|installed|recognized|supported|executable|registered|allowed|available)|no module named|unauthorized|forbidden|caused by|no solution|unexpected|timed out|expired|rejected|failed|E[A-Z]{4,})\b|is not in this registry|daemon running/i;

/**
 * The lines in which a program said why it failed, joined into one: what names a cause wins over what is printed
 * around it, however long that is; else the last lines. Empty where it said nothing.
 */
export function lastWords(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => !NOT_TELLING.some((pattern) => pattern.test(line)));
  const shown = withCauses(telling.length > 0 ? telling : lines);
  return fitting(distinct(shown));
}

/** The last lines, but for those that make way for lines that name a cause. */
function withCauses(lines: readonly string[]): string[] {
  const causes = new Set(lines.filter((line) => CAUSE.test(line)).slice(-MOST_CAUSES));
  let room = SHOWN_LINES - causes.size;
  return lines
    .toReversed()
    .filter((line) => causes.has(line) || room-- > 0)
    .toReversed();
}

function distinct(lines: readonly string[]): string[] {
  return [...new Set(lines)];
}

/** Joins the lines; where that is too long, those go first that name no cause. */
function fitting(lines: readonly string[]): string {
  const joined = lines.join(' | ');
  if (joined.length <= SHOWN_CHARACTERS) return joined;
  const causes = lines.filter((line) => CAUSE.test(line));
  if (causes.length === 0) return joined.slice(-SHOWN_CHARACTERS);
  if (causes.length < lines.length) return fitting(causes);
  const share = Math.floor(SHOWN_CHARACTERS / causes.length) - ' | '.length;
  return causes
    .map((line) => (line.length <= share ? line : line.slice(0, share - MARK.length) + MARK))
    .join(' | ');
}
