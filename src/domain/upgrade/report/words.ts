// The sentences of a report: the answer first, then the counts, and what is said of one row.
import type { FormPlaces } from '../../uses/forms/find-forms.ts';
import type { UseWord } from '../../uses/use.ts';
import { GROUP_WORDS, GROUPS, groupOf, type ReportGroup, type ReportTotals, totalsOf } from './groups.ts';
import { breaksCode, isNeedAlone, type ReportRow, type RowUse, unmetNeeds } from './row.ts';

const USE_WORDS: Record<UseWord, string> = {
  used: 'used',
  imported_not_used: 'imported, never used',
  not_used: 'not used',
  not_imported: 'not imported',
  met: 'met',
  not_met: 'not met',
  unclear: 'cannot be told',
};

// Whether a project uses what changed: `src/clock.ts:14, 2 more`.
export function useWords({ use, places, count, has, unseen, generated, perhaps }: RowUse): string {
  const [first] = places;
  if (has !== undefined) return has;
  if (generated) return `only in generated ${generated.file}:${generated.line}`;
  if (perhaps) return `perhaps ${perhaps.file}:${perhaps.line}`;
  if (unseen !== undefined) return 'behaviour not seen';
  if (use !== 'used' || first === undefined) return USE_WORDS[use];
  return `${first.file}:${first.line}${count > 1 ? `, ${formatted(count - 1)} more` : ''}`;
}

// `server.js:380, 2 more`
function formWords({ places, count }: Pick<FormPlaces, 'places' | 'count'>): string {
  const [first] = places;
  return first === undefined ? '' : `${first.file}:${first.line}${count > 1 ? `, ${formatted(count - 1)} more` : ''}`;
}

// `the notes speak of app.del(); you have it at server.js:380`
export function formSentence(form: FormPlaces): string {
  return `the notes speak of \`${form.form}\`; you have this form at ${formWords(form)}`;
}

const IN_USE: Record<UseWord, string> = {
  used: ', and you use it',
  imported_not_used: ', but what you import of it is never used',
  not_used: ', but you use none of the changed names',
  not_imported: ', but nothing here imports it',
  met: ', but you have what it needs',
  not_met: ', and you do not have what it needs',
  unclear: '; whether you use it cannot be told',
};

// `breaks, but you use none of the changed names`
export function judgementWords(row: ReportRow): string {
  const words = GROUP_WORDS[row.judgement ?? groupOf(row)].word.toLowerCase();
  const isJudged = row.judgement === 'breaks' || row.judgement === 'may_break';
  if (!isJudged || !row.use) return words;
  const { use, unseen, generated } = row.use;
  if (generated) return `${words}; only generated files use it: ${generated.file}:${generated.line}`;
  return `${words}${IN_USE[use]}${unseen === undefined ? '' : `; ${unseen}, so behaviour was not seen`}`;
}

// The counts of a report in the order of risk; groups without a row are left out.
export function totalsLine(rows: readonly ReportRow[]): string {
  const totals = totalsOf(rows);
  const needs = totalsOf(rows.filter(isNeedAlone));
  const parts = GROUPS.flatMap((group) => {
    const [apart, rest] = group in NEED_WORDS ? [needs[group], totals[group] - needs[group]] : [0, totals[group]];
    const own = rest > 0 ? [countWords(group, rest)] : [];
    return apart > 0 ? [...own, `${formatted(apart)} ${needWords(group, apart)}`] : own;
  });
  return parts.join(', ');
}

// Rows of these groups that only need something around them are counted apart from what breaks code.
const NEED_WORDS: Partial<Record<ReportGroup, readonly [one: string, many: string]>> = {
  breaks_used: ['needs what is not here', 'need what is not here'],
  breaks: ['raises what it needs', 'raise what they need'],
};

function needWords(group: ReportGroup, count: number): string {
  return NEED_WORDS[group]?.[count === 1 ? 0 : 1] ?? '';
}

export function countWords(group: keyof ReportTotals, count: number): string {
  const { one, many } = GROUP_WORDS[group];
  return `${formatted(count)} ${count === 1 ? one : many}`;
}

const UNCHANGED = new Set(['up_to_date', 'added', 'removed', 'done', 'ignored']);

// The packages that go from one state to another.
export function changedRows(rows: readonly ReportRow[]): ReportRow[] {
  return rows.filter((row) => !UNCHANGED.has(groupOf(row)));
}

export interface SummaryOptions {
  // The versions are those that the project could go to: nothing has changed yet.
  isProposal?: boolean;
  // What was not looked at, as the end of the sentence.
  left?: string | null;
}

// The answer as one sentence. It never claims that nothing breaks while something is not known. Whether there is an update is
// not known of every package, so updates are not counted against all of them.
export function summarySentence(rows: readonly ReportRow[], { left = null, ...options }: SummaryOptions = {}): string {
  const answer = answerSentence(rows, options);
  return left === null ? answer : `${answer}; ${left}`;
}

function answerSentence(rows: readonly ReportRow[], { isProposal = false }: SummaryOptions): string {
  const changed = changedRows(rows);
  if (changed.length === 0) return 'No package goes to a higher version';
  const all = counted(changed.length, 'changed package');
  const of = (count: number) => {
    if (isProposal) return counted(count, 'update');
    return changed.length === 1 ? 'The one changed package' : `${formatted(count)} of ${all}`;
  };
  const judged = (judgement: ReportRow['judgement']) => changed.filter((row) => row.judgement === judgement);
  const [broken, may, quiet] = [judged('breaks'), judged('may_break').length, judged('no_sign').length];
  const known = knownBreaks(broken);
  const [first, ...more] = known;
  if (first) {
    const others = [...more.map(({ count, words }) => `, ${formatted(count)} ${words(count)}`)].join('');
    return `${of(first.count)} ${first.words(first.count)}${others}${first.isCode ? '' : besideNeeds(broken)}`;
  }
  if (broken.length > 0) return `${of(broken.length)} ${verb(broken.length)}${amongBroken(broken)}`;
  if (may > 0) return `${of(may)} may break`;
  const unknown = changed.length - quiet;
  if (unknown === 0) return `No sign of a break in ${isProposal ? of(quiet) : all}`;
  return `Not known for ${isProposal ? counted(unknown, 'package') : of(unknown).replace('The', 'the')}`;
}

interface KnownBreak {
  count: number;
  isCode: boolean;
  words(count: number): string;
}

// What breaks code in the project, and what it needs around it: each update counts for everything that it does.
function knownBreaks(broken: readonly ReportRow[]): KnownBreak[] {
  const lacking = (isNode: boolean) =>
    broken.filter((row) => unmetNeeds(row).some(({ name }) => (name === 'engines.node') === isNode)).length;
  const all: KnownBreak[] = [
    { count: broken.filter(breaksCode).length, isCode: true, words: (count) => `${verb(count)} code in this project` },
    { count: lacking(true), isCode: false, words: (count) => `${need(count)} a newer Node` },
    {
      count: lacking(false),
      isCode: false,
      words: (count) => `${need(count)} another package beside ${count === 1 ? 'it' : 'them'}`,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

// Of what breaks besides, where nothing of it is known to break code.
function besideNeeds(broken: readonly ReportRow[]): string {
  const unclear = broken.filter((row) => row.use?.use !== 'not_met' && isUnclear(row)).length;
  if (unclear === 0) return '';
  return `; whether ${formatted(unclear)} ${unclear === 1 ? 'other breaks' : 'others break'} code here cannot be told`;
}

function isUnclear({ use }: ReportRow): boolean {
  return (use?.use ?? 'unclear') === 'unclear';
}

function counted(count: number, noun: string): string {
  return `${formatted(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function verb(count: number): string {
  return count === 1 ? 'breaks' : 'break';
}

function need(count: number): string {
  return count === 1 ? 'needs' : 'need';
}

function amongBroken(broken: readonly ReportRow[]): string {
  if (broken.some(({ use }) => use !== undefined)) {
    const unclear = broken.filter(isUnclear).length;
    if (unclear === 0) return '; nothing that changed was found in use';
    const which = broken.length === 1 ? 'it is' : unclear === 1 ? '1 of them is' : `${formatted(unclear)} of them are`;
    return `; whether ${which} in use cannot be told`;
  }
  const direct = broken.filter((row) => row.direct === true).length;
  if (direct === 0) return '';
  if (broken.length === 1) return ', a direct dependency';
  return direct === 1 ? ', 1 of them a direct dependency' : `, ${formatted(direct)} of them direct dependencies`;
}

// `12,345`. The formats of all languages take longer to load than a whole report.
export function formatted(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
