// Prints an upgrade: the table of changes, the verdict on one package, its releases.

import type { OmittedBreak, OtherMatch, UpgradeEntry, WhatsChanged } from '../../../contract/whats-changed.ts';
import { coveredWords } from '../../../domain/advisories/advised-package.ts';
import { migrationSteps } from '../../../domain/notes/steps.ts';
import { witnessWords } from '../../../domain/upgrade/judgement.ts';
import { firstOfWorst, levelOf } from '../../../domain/upgrade/report/answer.ts';
import { verdictWord } from '../../../domain/upgrade/verdict-words.ts';
import type { Output } from '../output.ts';
import { printableLine, printableText } from '../printable.ts';
import { breakingTone, day, scoped, wordOfBreaking } from '../views.ts';
import { riskTone, verdictOf } from './verdict.ts';

function isBreakingEntry({ breaking }: UpgradeEntry): boolean {
  return breaking === 'major' || breaking === 'minor';
}

export function printBreaks(output: Output, name: string, answer: WhatsChanged | null): void {
  const entries = answer?.entries.filter(isBreakingEntry) ?? [];
  const omitted = answer?.omittedBreaking ?? [];
  const steps = answer?.steps ?? [];
  if (answer === null || entries.length + omitted.length + steps.length === 0) return;
  output.line('');
  output.painted(output.paint('bold', printableLine(name)));
  printSteps(output, answer);
  for (const one of omitted) printOmitted(output, one);
  for (const entry of entries) printEntry(output, entry, { hasSteps: steps.length > 0 });
}

const SHOWN_STEPS = 20;

// What to do for the whole range. Servers of before do not tell.
function printSteps(output: Output, { steps = [], moreSteps = 0 }: WhatsChanged): void {
  if (output.mode !== 'terminal') {
    for (const { kind, text, versions, from } of steps) {
      output.painted(['step', kind, versions.join(', '), text, from].map(printableLine).join('\t'));
    }
    return;
  }
  if (steps.length === 0) return;
  const shown = steps.slice(0, SHOWN_STEPS);
  const left = steps.length - shown.length + moreSteps;
  output.line('');
  output.painted(output.paint('bold', 'What to do'));
  for (const [index, { text, versions, from }] of shown.entries()) {
    const tellers = [...versions, ...(from === 'package' ? ['seen in the package'] : [])].join(', ');
    output.text(indented(`${index + 1}. ${text}${tellers ? ` (${tellers})` : ''}`));
  }
  if (left > 0) output.text(indented(`and ${left} more`));
}

const MATCH_RULES: Record<NonNullable<WhatsChanged['matchedBy']>, string> = {
  id: 'its id',
  package_map: 'the name of its package',
  slug: 'the name of the source',
  coordinate: 'its repository',
};

function otherMeaning({ ecosystem, package: name, orgSlug, sourceSlug }: OtherMatch): string {
  return `the ${ecosystem} package ${name} is ${scoped(orgSlug, sourceSlug)}; add --ecosystem ${ecosystem} if you mean it`;
}

export function printAnswer(output: Output, answer: WhatsChanged): void {
  const { level, text } = verdictOf(answer);
  output.fields([
    ['package', answer.ecosystem === null ? answer.package : `${answer.package} (${answer.ecosystem})`],
    ['range', `${answer.fromVersion ?? answer.from} to ${answer.toVersion ?? answer.to}`],
    ['verdict', text, riskTone(level)],
    ['judged by', answer.judgedBy && witnessWords(answer.judgedBy)],
    ['source', answer.source && scoped(answer.source.orgSlug, answer.source.sourceSlug)],
    ['found by', answer.matchedBy && MATCH_RULES[answer.matchedBy]],
    ['also', answer.alsoMatches?.map(otherMeaning)],
    ['releases', answer.total > 0 ? releaseCounts(answer) : null],
    ['security', answer.summary.security > 0 ? `${answer.summary.security} with a security fix` : null],
    ['advisories', answer.advisories && coveredWords(answer.advisories)],
    ['no notes', answer.history?.withoutNotes?.length ? answer.history.withoutNotes.join(', ') : null],
    ['first break', firstOfWorst(levelOf(answer), answer)],
    ['pre-releases', answer.omittedPrereleases > 0 ? `${answer.omittedPrereleases} are not listed` : null],
    ['hint', answer.hint && terminalHint(answer.hint)],
    ['similar', answer.suggestions],
    ['candidate', answer.candidates?.map(({ orgSlug, sourceSlug, id }) => `${id} (${scoped(orgSlug, sourceSlug)})`)],
  ]);
  printSteps(output, answer);
  for (const one of answer.omittedBreaking ?? []) printOmitted(output, one);
  const entries = output.mode === 'terminal' ? worstFirst(answer.entries) : answer.entries;
  const hasSteps = (answer.steps ?? []).length > 0;
  for (const entry of entries) printEntry(output, entry, { hasSteps });
  if (answer.truncated)
    output.note(`${answer.omitted ?? 0} older releases of the range are left out${olderPart(answer)}`);
}

const VERDICTS = ['major', 'minor', 'unknown', 'none'] as const;

function releaseCounts({ summary: { breaking } }: WhatsChanged): string {
  const told = VERDICTS.filter((verdict) => breaking[verdict] > 0);
  return told.map((verdict) => `${breaking[verdict]} ${verdictWord(verdict)}`).join(', ');
}

// On a screen the worst comes first; releases of the same verdict keep their order.
export function worstFirst<T extends { breaking: UpgradeEntry['breaking'] }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => VERDICTS.indexOf(a.breaking) - VERDICTS.indexOf(b.breaking));
}

function olderPart({ continue: rest }: WhatsChanged): string {
  return rest ? `; ask for ${rest.from} to ${rest.to} to read them` : '';
}

// A break that the answer only names.
function printOmitted(output: Output, { version, breaking, title, step, id }: OmittedBreak): void {
  const first = step === null ? null : (migrationSteps(step)[0] ?? step);
  const name = printableLine(version ?? id);
  if (output.mode !== 'terminal') {
    output.painted(['omitted', name, breaking, title, first ?? ''].map(printableLine).join('\t'));
    return;
  }
  const tone = breakingTone(breaking);
  const word = printableLine(wordOfBreaking(breaking) ?? '');
  output.line('');
  output.painted([output.paint('bold', name), tone ? output.paint(tone, word) : word, printableLine(title)].join('  '));
  if (first) output.text(indented(`First step: ${first}`));
}

function printEntry(output: Output, entry: UpgradeEntry, { hasSteps }: { hasSteps: boolean }): void {
  const version = printableLine(entry.version ?? '');
  if (output.mode !== 'terminal') {
    const cells = [version, entry.publishedAt ?? '', entry.breaking, entry.title, entry.webUrl];
    output.painted(['entry', ...cells.map(printableLine)].join('\t'));
    if (entry.migrationNotes) output.painted(`notes\t${version}\t${printableLine(entry.migrationNotes)}`);
    return;
  }
  const tone = breakingTone(entry.breaking);
  const breaking = printableLine(wordOfBreaking(entry.breaking) ?? '');
  const head = [
    output.paint('bold', version || printableLine(entry.id)),
    printableLine(day(entry.publishedAt)),
    tone ? output.paint(tone, breaking) : breaking,
    printableLine(entry.title),
    ...(entry.withdrawn ? [output.paint('yellow', 'withdrawn by its author')] : []),
  ];
  output.line('');
  output.painted(head.join('  '));
  const text = entry.summary || entry.excerpt;
  if (text) output.text(indented(text));
  if (entry.migrationNotes && !hasSteps) output.text(indented(`Before you upgrade: ${entry.migrationNotes}`));
  output.painted(`  ${output.paint('dim', printableLine(entry.webUrl))}`);
}

function indented(text: string): string {
  return printableText(text).trim().replace(/^/gm, '  ');
}

// Hints of the API in the words of a terminal: commands and flags instead of requests and parameters.

const SENTENCES: readonly [api: RegExp, terminal: string][] = [
  [
    /^The repository (\S+) is not tracked\. POST \/v1\/lookups .*$/,
    'The repository $1 is not tracked. An operator of the registry can add it.',
  ],
  [/ ?POST \/v1\/lookups for \S+ reads it now\./g, ''],
  [
    /an operator resumes it \(PATCH \/v1\/sources\/(\S+) with fetchPriority normal and isHidden false\)/g,
    'an operator resumes it (registry admin source edit $1 --fetch-priority normal)',
  ],
  [/ecosystem=(\w+) with package=owner\/repo/g, 'owner/repo with --ecosystem $1'],
  [/ecosystem=(\w+)/g, '--ecosystem $1'],
  [/Add org=<slug of the org>, or ask/g, 'Write it as org/source, or ask'],
  [/, as in from=(\S+)@1\.0\.0,/g, ', as in $1@1.0.0,'],
  [/(?<=; )from is exclusive/g, 'the first one is not counted'],
];

export function terminalHint(hint: string): string {
  return SENTENCES.reduce((text, [api, terminal]) => text.replace(api, terminal), hint).trim();
}
