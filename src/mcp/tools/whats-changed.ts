import { z } from 'zod';
import {
  MAX_OMITTED_BREAKS,
  MAX_QUERY_CHARACTERS,
  type OmittedBreak,
  UPGRADE_ECOSYSTEMS,
  type UpgradeEntry,
  type UpgradeStep,
  type WhatsChanged,
  whatsChangedAnswer,
} from '../../contract/whats-changed.ts';
import { coveredWords } from '../../domain/advisories/advised-package.ts';
import { firstStep } from '../../domain/upgrade/budget.ts';
import { BY_VERSION_WORDS, isByVersionAlone, witnessWords } from '../../domain/upgrade/judgement.ts';
import { awaitReadings, isBeingRead } from '../await-readings.ts';
import { type Cut, excerptCut, type Fitted, listCut } from '../budget.ts';
import { blocks, day, facts, lines, QUOTE_NOTE } from '../markdown.ts';
import { excerptEvidence, findingsCut, findingsText } from '../package-findings.ts';
import { inline, link, quoted, shortened } from '../quoting.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, type Truncation } from '../shapes.ts';
import { type Arguments, tool } from '../tool.ts';

// The answer on an upgrade as tools give it: shorter forms of its entries, and its text.

function isBreak({ breaking }: UpgradeEntry): boolean {
  return breaking === 'major' || breaking === 'minor';
}

function shortBreak({ id, version, breaking, title, migrationNotes }: UpgradeEntry): OmittedBreak {
  return { id, version, breaking, title, step: firstStep(migrationNotes) };
}

function excerptUpgrade(value: WhatsChanged, length: number): WhatsChanged {
  return {
    ...value,
    entries: value.entries.map((entry) => ({
      ...entry,
      title: shortened(entry.title, Math.max(length, 40)),
      summary: shortened(entry.summary, length),
      ...(entry.excerpt === undefined ? {} : { excerpt: shortened(entry.excerpt, length) }),
      migrationNotes: entry.migrationNotes && shortened(entry.migrationNotes, length),
    })),
    ...(value.omittedBreaking === undefined
      ? {}
      : { omittedBreaking: value.omittedBreaking.map((one) => shortenBreak(one, length)) }),
    steps: value.steps.map((step) => ({ ...step, text: shortened(step.text, length) })),
    ...(value.evidence === undefined ? {} : { evidence: excerptEvidence(value.evidence, length) }),
  };
}

function shortenBreak({ title, step, ...named }: OmittedBreak, length: number): OmittedBreak {
  return { ...named, title: shortened(title, Math.max(length, 40)), step: (step && shortened(step, length)) || null };
}

function upgradeText(value: WhatsChanged, breakingOnly: boolean): string {
  const { summary, history, total, entries } = value;
  const { major, minor, none, unknown } = summary.breaking;
  const unnamed = major + minor - entries.filter(isBreak).length - (value.omittedBreaking?.length ?? 0);
  return blocks(
    `# ${inline(value.package)}: ${inline(value.fromVersion ?? value.from)} to ${inline(value.toVersion ?? value.to)}`,
    lines(
      facts(
        `status ${value.status}`,
        value.judgement !== null && `judgement ${JUDGEMENT_WORDS[value.judgement]}`,
        value.judgedBy.length > 0 && `by ${witnessWords(value.judgedBy)}`,
        value.worst !== null && `worst verdict of the notes ${value.worst}`,
        value.reason && `reason ${value.reason}`,
      ),
      isByVersionAlone(value) && `It is ${BY_VERSION_WORDS}.`,
      readingLine(value),
      value.undocumented && 'The package itself proves a break that the notes do not mention.',
      value.judgement === 'no_sign' &&
        `No sign of a break${value.judgedBy.includes('package') ? '' : ' in the notes; the packages were not compared'}. That is no promise: behaviour can change without a word.`,
      value.source &&
        facts(
          `source ${value.source.orgSlug ? `${value.source.orgSlug}/` : ''}${value.source.sourceSlug}`,
          value.source.sourceId,
          value.matchedBy !== null && `found by ${value.matchedBy}`,
        ),
      ...(value.alsoMatches ?? []).map(
        ({ ecosystem, package: name, orgSlug, sourceSlug }) =>
          `The ${ecosystem} package ${inline(name)} is another source, ${orgSlug ? `${orgSlug}/` : ''}${sourceSlug}: ask with ecosystem ${ecosystem} if that is meant.`,
      ),
      value.status === 'resolved' &&
        `${total} releases in the range: ${major} major, ${minor} minor, ${none} without a break, ${unknown} unknown`,
      summary.security > 0 && `Of the whole range, ${summary.security} repair a security problem`,
      value.advisories && coveredLine(value.advisories),
      summary.firstBreaking !== null && `first break in ${inline(summary.firstBreaking)}`,
      value.omittedPrereleases > 0 && `${value.omittedPrereleases} pre-releases are not listed; their breaks count`,
      history?.complete === false &&
        `The stored history is incomplete (${inline(history.lowest ?? '?')} to ${inline(history.highest ?? '?')}): releases of the range may be missing, so this is not a statement that nothing breaks.`,
      history?.published != null &&
        `${history.published} versions of the range are published, ${history.withoutNotesCount} of them without notes here${history.withoutNotes.length > 0 ? `: ${history.withoutNotes.map(inline).join(', ')}` : ''}`,
      value.hint && inline(value.hint),
      value.suggestions && value.suggestions.length > 0 && `Similar names: ${value.suggestions.map(inline).join(', ')}`,
      value.packages &&
        value.packages.length > 0 &&
        `Packages of this source: ${value.packages.map(inline).join(', ')}`,
      value.candidates &&
        value.candidates.length > 0 &&
        `Use one of these as package: ${value.candidates.map(({ orgSlug, sourceSlug, id }) => `${id} (${orgSlug ?? 'no org'}/${sourceSlug})`).join(', ')}`,
      breakingOnly && `Only releases with a break are listed; ${unknown} with an unknown verdict are not.`,
    ),
    value.continue &&
      `The older part is from ${inline(value.continue.from)} to ${inline(value.continue.to)}: ask with these bounds.`,
    (entries.length > 0 || value.steps.length > 0 || (value.evidence?.pairs.length ?? 0) > 0) && QUOTE_NOTE,
    value.steps.length > 0 && lines('What to do for the whole range, oldest first:', ...value.steps.map(stepBlock)),
    value.steps.length > 0 && value.moreSteps !== undefined && `${value.moreSteps} more steps are left out.`,
    findingsText(value),
    value.omittedBreaking &&
      lines('Breaking releases that are left out below, oldest first:', ...value.omittedBreaking.map(breakBlock)),
    unnamed > 0 && `${unnamed} more breaking releases are not named here; a larger max_tokens names them.`,
    ...entries.map(entryBlock),
  );
}

const JUDGEMENT_WORDS: Record<NonNullable<WhatsChanged['judgement']>, string> = {
  breaks: 'breaks',
  may_break: 'may break',
  not_known: 'not known',
  no_sign: 'no sign of a break',
};

function stepBlock({ kind, text, versions, from }: UpgradeStep): string {
  const tellers = versions.length > 0 && `in ${versions.map(inline).join(', ')}`;
  return lines(facts(`- ${kind}`, tellers, from === 'package' && 'seen in the package'), quoted(text));
}

function verdictFact(breaking: UpgradeEntry['breaking'], judgedBy: UpgradeEntry['judgedBy']): string {
  return `breaking ${breaking}${judgedBy === undefined ? '' : ' by its number alone'}`;
}

function breakBlock({ id, version, breaking, title, step, prerelease, judgedBy }: OmittedBreak): string {
  return lines(
    facts(
      `- ${id}`,
      version !== null && `version ${inline(version)}`,
      prerelease && 'pre-release',
      verdictFact(breaking, judgedBy),
    ),
    quoted([title, step && `First step: ${step}`].filter(Boolean).join('\n')),
  );
}

function entryBlock(entry: UpgradeEntry): string {
  const { title, summary, excerpt = '', migrationNotes } = entry;
  return lines(
    facts(
      `- ${entry.id}`,
      entry.version !== null && `version ${inline(entry.version)}`,
      day(entry.publishedAt),
      entry.prerelease && 'pre-release',
      entry.withdrawn && 'withdrawn by its author',
      verdictFact(entry.breaking, entry.judgedBy),
      entry.evidence !== undefined &&
        `its package shows ${entry.evidence.counts.proven} proven and ${entry.evidence.counts.likely} likely breaks`,
      entry.importance !== null && `importance ${entry.importance}`,
      entry.coveredBy !== undefined && `covered by ${entry.coveredBy}`,
    ),
    facts(`  ${link(entry.webUrl)}`, entry.url !== null && `original ${link(entry.url)}`),
    quoted(
      [title, summary || excerpt, migrationNotes && `Before you upgrade:\n${migrationNotes}`]
        .filter(Boolean)
        .join('\n'),
    ),
  );
}

const requested = z.string().trim().min(1).max(MAX_QUERY_CHARACTERS);

export const whatsChanged = tool({
  name: 'whats_changed',
  title: 'What changed between two versions',
  description:
    'All releases of a package after `from` up to `to`, oldest first, with verdicts on breaking changes and migration notes; `judgement` is the answer, by the notes and by the published packages, `steps` what to do. The tool to use before an upgrade. status `unknown` says why and what to try; history.complete false: releases of the range may be missing.',
  input: {
    package: requested.describe(
      'Name of the package, owner/repo of a GitHub repository, or a source: slug or src_ id.',
    ),
    from: requested.describe('Version in use, or a range such as ^1.2.0.'),
    to: requested.describe('Version to go to, or a tag such as latest or next.'),
    ecosystem: z.enum(UPGRADE_ECOSYSTEMS).optional().describe('Where the package is published.'),
    breaking_only: z.boolean().optional().describe('true: only releases with a minor or major break.'),
    include_prereleases: z.boolean().optional().describe('true: also pre-releases.'),
  },
  output: whatsChangedAnswer.shape,
  async run({ api, maxTokens, given }, { breaking_only: breakingOnly = false, ...question }) {
    const ask = (only: boolean) =>
      api.get('/whats-changed', { query: { ...question, breaking_only: only, tokens: maxTokens } });
    const first = await ask(breakingOnly);
    const answer = (await awaitReadings(api, [first.reading])) ? await ask(breakingOnly) : first;
    const fitted = await fitAnswer(answer, { breakingOnly, maxTokens, given });
    if (breakingOnly || !fitted.value.truncated || !fitted.value.omittedBreaking) return fitted;
    // The whole list of breaks is worth more than the next part of everything.
    const breaks = { ...given, breaking_only: true };
    const alone = await fitAnswer(await ask(true), { breakingOnly: true, maxTokens, given: breaks });
    if (alone.cut || alone.value.truncated) return fitted;
    return fitAnswer(answer, { breakingOnly, maxTokens, given, next: breaks });
  },
});

function readingLine({ reading }: WhatsChanged): string | false {
  if (!reading) return false;
  if (reading.state === 'refused') return 'The package is not read now: the limit of readings is reached.';
  if (reading.state === 'failed')
    return `The package could not be read: ${inline(reading.reason ?? 'no reason is known')}.`;
  return (
    isBeingRead(reading) && 'The package is still being read. whats_changed with the same arguments goes on waiting.'
  );
}

interface FitOptions {
  breakingOnly: boolean;
  maxTokens: number;
  given: Arguments;
  // The call to propose instead of the one for the older part.
  next?: Arguments;
}

function fitAnswer(
  value: WhatsChanged,
  { breakingOnly, maxTokens, given, next }: FitOptions,
): Promise<Fitted<WhatsChanged>> {
  const cuts: Cut<WhatsChanged>[] = [
    findingsCut(KEPT_FINDINGS),
    stepsCut(value, KEPT_STEPS),
    oldestCut(value),
    excerptCut(excerptUpgrade),
    findingsCut(0),
    stepsCut(value, 0),
    listCut('packages'),
    listCut('suggestions'),
    listCut('candidates'),
    bareCut,
    listCut('omittedBreaking'),
  ];
  return fitResult<WhatsChanged>(
    {
      value,
      cuts,
      text: (cut) => upgradeText(cut, breakingOnly),
      truncation: (cut, isCut) => truncationOf(cut, isCut, { given, next }),
    },
    maxTokens,
  );
}

// Steps are cut to the first ones before any release is left out, and wholly only when nothing else is left to shorten.
const KEPT_STEPS = 20;
const KEPT_FINDINGS = 20;

function stepsCut(whole: WhatsChanged, kept: number): Cut<WhatsChanged> {
  return {
    most: ({ steps }) => steps.length - kept,
    apply: (value, count) => {
      const steps = value.steps.slice(0, value.steps.length - count);
      const more = (whole.moreSteps ?? 0) + whole.steps.length - steps.length;
      return { ...value, steps, ...(more > 0 ? { moreSteps: more } : {}) };
    },
  };
}

// The newest entries are kept, as in the API, and breaks among the others are named. Entries of one version go together: a
// later call begins between versions.
function oldestCut(whole: WhatsChanged): Cut<WhatsChanged> {
  const { entries } = whole;
  const starts = entries.flatMap((entry, index) =>
    index > 0 && entry.version !== null && entry.version !== entries[index - 1]?.version ? [index] : [],
  );
  return {
    most: () => starts.length,
    apply: (value, steps) => {
      const start = starts[steps - 1];
      if (start === undefined) return value;
      const older = entries[start - 1]?.version;
      const breaks = [...(whole.omittedBreaking ?? []), ...entries.slice(0, start).filter(isBreak).map(shortBreak)];
      return {
        ...value,
        entries: entries.slice(start),
        count: entries.length - start,
        truncated: true,
        omitted: (whole.omitted ?? 0) + start,
        ...(breaks.length > 0 ? { omittedBreaking: breaks.slice(0, MAX_OMITTED_BREAKS) } : {}),
        ...(older ? { continue: { ...whole.continue, from: whole.from, to: older } } : {}),
      };
    },
  };
}

// The last resort of a very small budget: of the newest entry and of the breaks only what names them, and no figures that
// the caller knows.
const bareCut: Cut<WhatsChanged> = {
  most: () => 2,
  apply: (value, steps) => {
    if (steps === 0) return value;
    const { tokenBudget: _, truncatedAtTokens: __, ...rest } = value;
    const breaks = value.omittedBreaking?.map((one) => ({ ...one, title: '', step: null }));
    const named = breaks ? { omittedBreaking: breaks } : {};
    if (steps === 1) return { ...rest, ...named };
    const { hint: ___, ...bare } = rest;
    const entries = value.entries.map(({ excerpt: ____, ...entry }) => ({ ...entry, title: '', composition: null }));
    return { ...bare, entries, ...named };
  },
};

function truncationOf(
  { truncated, omitted, continue: rest }: WhatsChanged,
  cut: boolean,
  { given, next }: Pick<FitOptions, 'given' | 'next'>,
): Truncation {
  if (!cut && !truncated) return COMPLETE;
  return {
    truncated: true,
    reason: 'token_budget',
    omitted: omitted ?? 0,
    next: next ?? (rest === undefined ? null : { ...given, ...rest }),
  };
}

function coveredLine(advisories: NonNullable<WhatsChanged['advisories']>): string | false {
  const words = coveredWords(advisories);
  return words !== null && `The version in use: ${inline(words)}`;
}
