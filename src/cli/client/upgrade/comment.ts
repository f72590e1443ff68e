// The comment for a pull request: packages by risk, breaking changes with their migration steps, and unknown ones.
// Release texts are untrusted, so they are escaped: no markup, no mentions, no issue references.
import type { OmittedBreak, UpgradeEntry, WhatsChanged } from '../../../contract/whats-changed.ts';
import { printableLine, printableText } from '../printable.ts';
import type { JudgedChange } from './judge-changes.ts';
import { byRisk, firstOfWorst, isBreak, isNotKnown, totalLine, totalsOf } from './report.ts';
import { RISK_WORDS } from './verdict.ts';

interface CommentOptions {
  breakingOnly?: boolean;
  // Files named more packages than were read.
  truncated?: boolean;
  // The pages of the registry are reachable for readers.
  linksToRegistry?: boolean;
}

// Below the limit of code hosts of 65,536 characters.
const LONGEST = 60_000;
const MOST_ROWS = 200;
const MOST_ENTRIES = 20;
const MOST_NAMED = 50;
const LONGEST_NOTES = 2000;
const MOST_STEPS = 20;

export function pullRequestComment(changes: readonly JudgedChange[], options: CommentOptions = {}): string {
  const ordered = byRisk(changes);
  const rows = ordered.filter((change) => change.level !== null && (!options.breakingOnly || isBreak(change)));
  const unknown = ordered.filter(isNotKnown);
  const lines = [
    '### What this upgrade changes',
    '',
    `**${totalLine(totalsOf(ordered))}**`,
    '',
    ...table(rows),
    ...(options.breakingOnly && unknown.length > 0 ? [`${unknown.length} that are not known are not listed.`, ''] : []),
    ...(options.truncated ? ['The files name more packages than are read; the rest is not judged.', ''] : []),
  ];
  const details = ordered.filter(isBreak).map((change) => detailsOf(change, options));
  const closing = options.breakingOnly ? [] : notKnown(unknown);
  return joinWithin({ lines, details, closing });
}

function table(rows: readonly JudgedChange[]): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  return [
    '| Risk | Package | From | To | What is known |',
    '| --- | --- | --- | --- | --- |',
    ...shown.map(({ level, name, direct, dev, from, to, verdict, answer }) => {
      const target = answer?.toVersion ?? to ?? '';
      const first = firstOfWorst(level, answer);
      const known = first ? `${verdict}; first in ${first}` : verdict;
      const cells = [
        `**${level && RISK_WORDS[level]}**`,
        `${code(name)}${marksOf({ direct, dev })}`,
        escaped(from ?? ''),
        escaped(target),
        escaped(known),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    ...(left > 0 ? [`${left} more packages are left out here.`, ''] : []),
  ];
}

// What the files tell of a package; nothing where they do not.
function marksOf({ direct, dev }: Pick<JudgedChange, 'direct' | 'dev'>): string {
  const marks = [direct === false && 'indirect', dev && 'dev'].filter(Boolean);
  return marks.length > 0 ? ` (${marks.join(', ')})` : '';
}

function detailsOf(change: JudgedChange, options: CommentOptions): string[] {
  const { name, from, to, answer } = change;
  const entries = (answer?.entries ?? []).filter(({ breaking }) => breaking === 'major' || breaking === 'minor');
  const shown = entries.slice(0, MOST_ENTRIES);
  const counted = (answer?.summary.breaking.major ?? 0) + (answer?.summary.breaking.minor ?? 0);
  const omitted = (answer?.omittedBreaking ?? []).slice(0, MOST_NAMED);
  const left = counted - shown.length - omitted.length;
  return [
    `#### ${code(name)} ${escaped(from ?? '')} → ${escaped(answer?.toVersion ?? to ?? '')}`,
    '',
    ...stepLines(answer),
    ...omitted.flatMap(omittedLines),
    ...shown.flatMap((entry) => entryLines(entry, { ...options, hasSteps: (answer?.steps?.length ?? 0) > 0 })),
    ...(left > 0 ? [`- ${left} more releases with a break are left out here.`] : []),
    ...(answer?.history?.complete === false ? [`- ${escaped(change.verdict)}.`] : []),
    '',
  ];
}

// What to do for the whole range. Servers of before do not tell.
function stepLines(answer: WhatsChanged | null): string[] {
  const all = answer?.steps ?? [];
  if (all.length === 0) return [];
  const shown = all.slice(0, MOST_STEPS);
  const left = all.length - shown.length + (answer?.moreSteps ?? 0);
  const lines = shown.map(({ text, versions, from }, index) => {
    const tellers = [...versions, ...(from === 'package' ? ['seen in the package'] : [])].join(', ');
    return `${index + 1}. ${withCode(text)}${tellers ? ` _(${escaped(tellers)})_` : ''}`;
  });
  return ['What to do:', '', ...lines, ...(left > 0 ? [`${shown.length + 1}. and ${left} more`] : []), ''];
}

// A break that the answer only names.
function omittedLines({ version, breaking, title, step }: OmittedBreak): string[] {
  const head = `- **${escaped(version ?? 'no version')}** ${breaking}: ${escaped(title)}`;
  return step === null ? [head] : [head, ...quoted(step)];
}

function entryLines(entry: UpgradeEntry, { linksToRegistry = true, hasSteps }: CommentOptions & { hasSteps: boolean }) {
  const links = [linksToRegistry && link('release', entry.webUrl), link('original', entry.url)].filter(Boolean);
  const head = `- **${escaped(entry.version ?? 'no version')}** ${entry.breaking}: ${escaped(entry.title)}`;
  const text = entry.summary || entry.excerpt;
  return [
    links.length > 0 ? `${head} (${links.join(', ')})` : head,
    ...(text && text !== entry.title ? quoted(text) : []),
    ...(entry.migrationNotes && !hasSteps ? ['', '  Before you upgrade:', '', ...quoted(entry.migrationNotes)] : []),
  ];
}

function notKnown(unknown: readonly JudgedChange[]): string[] {
  if (unknown.length === 0) return [];
  const shown = unknown.slice(0, MOST_ROWS);
  const left = unknown.length - shown.length;
  return [
    '#### Not known',
    '',
    'No verdict is no promise that nothing breaks.',
    '',
    ...shown.map(({ name, verdict, answer }) => {
      const why = verdict.replace(/^not known: /, '');
      const unsure = why === 'not known' ? `${answer?.summary.breaking.unknown ?? 0} releases do not tell` : why;
      return `- ${code(name)}: ${escaped(unsure)}`;
    }),
    ...(left > 0 ? [`- ${left} more`] : []),
    '',
  ];
}

// Details are dropped from the end, those of the lowest risk first, until the comment fits.
function joinWithin({ lines, details, closing }: { lines: string[]; details: string[][]; closing: string[] }): string {
  for (let shown = details.length; ; shown -= 1) {
    const left = details.length - shown;
    const parts = [
      ...lines,
      ...details.slice(0, shown).flat(),
      ...(left > 0 ? [`Breaking changes of ${left} more packages are left out here.`, ''] : []),
      ...closing,
    ];
    const text = `${parts.join('\n').trim()}\n`;
    if (text.length <= LONGEST || shown === 0) return text;
  }
}

const JOINER = '\u2060';

// Markup is escaped; a word joiner breaks mentions, issue numbers and bare URLs.
function escaped(text: string): string {
  return printableLine(text)
    .replace(/[\\`*_{}[\]()<>|~!]/g, (mark) => `\\${mark}`)
    .replace(/[@#]|:(?=\/\/)/g, (mark) => `${mark}${JOINER}`)
    .replace(/^([-+]|\d+[.)])(?=\s)/, `${JOINER}$1`)
    .replaceAll('www.', `www${JOINER}.`);
}

function quoted(text: string): string[] {
  const whole = printableText(text).trim();
  const cut = whole.length > LONGEST_NOTES ? `${whole.slice(0, LONGEST_NOTES).toWellFormed().trimEnd()}…` : whole;
  return cut.split('\n').map((line) => `  > ${escaped(line)}`.trimEnd());
}

// Code between backticks stays code; everything else is escaped.
function withCode(text: string): string {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return escaped(text);
  const around = (part: string) => `${/^\s/.test(part) ? ' ' : ''}${escaped(part)}${/\S\s+$/.test(part) ? ' ' : ''}`;
  return parts.map((part, index) => (index % 2 === 1 && part.trim() !== '' ? code(part) : around(part))).join('');
}

function code(text: string): string {
  return `\`${printableLine(text).replace(/[`|]/g, '')}\``;
}

function link(text: string, url: string | null): string | null {
  if (url === null || !/^https?:\/\//.test(url) || !URL.canParse(url)) return null;
  return `[${text}](${new URL(url).href.replace(/[()|\\]/g, (mark) => encodeURIComponent(mark).replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29')))})`;
}
