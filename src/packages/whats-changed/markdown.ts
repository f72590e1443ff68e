// The answer to an upgrade question as text, for people and for language models.
import type { OmittedBreak, UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { coveredWords } from '../../domain/advisories/advised-package.ts';
import { frontMatter, tag } from '../../domain/front-matter.ts';
import { escapedName, textWithCode } from '../../domain/markdown/strangers-text.ts';
import { BY_VERSION_WORDS, isByVersionAlone, witnessWords } from '../../domain/upgrade/judgement.ts';

interface MarkdownRequest {
  org?: string;
  include_prereleases?: boolean;
  breaking_only?: boolean;
  tokens?: number;
}

export function whatsChangedMarkdown(answer: WhatsChanged, requested: MarkdownRequest = {}): string {
  const front = frontMatter({
    package: answer.package,
    ecosystem: answer.ecosystem,
    ...(answer.source
      ? {
          source: [answer.source.orgSlug, answer.source.sourceSlug].filter(Boolean).join('/'),
          matched_by: answer.matchedBy,
        }
      : {}),
    from: answer.fromVersion ?? answer.from,
    to: answer.toVersion ?? answer.to,
    status: answer.status,
    worst: answer.worst,
    entries: answer.count,
    truncated: answer.truncated,
    history_complete: answer.history?.complete,
    reason: answer.reason,
    published: answer.history?.published ?? undefined,
    without_notes: answer.history?.withoutNotes.length ? answer.history.withoutNotes.join(', ') : undefined,
  });
  const hint = answer.hint ? [`${textWithCode(answer.hint)}\n`] : [];
  const others = (answer.alsoMatches ?? []).map(
    ({ ecosystem, package: name, orgSlug, sourceSlug }) =>
      `The ${ecosystem} package ${escapedName(name)} is another source, ${[orgSlug, sourceSlug].filter(Boolean).join('/')}; ask with ecosystem=${ecosystem} if that is meant.\n`,
  );
  const omitted = omittedBlock(answer.omittedBreaking ?? []);
  const blocks = answer.entries.map(entryBlock);
  const next = nextCall(answer, requested);
  return [
    front,
    ...hint,
    ...others,
    ...judgementLine(answer),
    ...advisoryLine(answer),
    ...stepBlock(answer),
    ...omitted,
    ...blocks,
    ...(next ? [next] : []),
  ].join('\n');
}

const JUDGEMENT_WORDS: Record<NonNullable<WhatsChanged['judgement']>, string> = {
  breaks: 'it breaks',
  may_break: 'it may break',
  not_known: 'not known',
  no_sign: 'no sign of a break',
};

function judgementLine(answer: WhatsChanged): string[] {
  const { judgement, judgedBy, undocumented, summary } = answer;
  if (judgement === null) return [];
  const number = isByVersionAlone(answer) ? `: ${BY_VERSION_WORDS}` : '';
  const by = judgedBy.length > 0 ? `, by ${witnessWords(judgedBy)}${number}` : '';
  const silent = undocumented ? ' The notes do not mention it.' : '';
  const fixes = summary.security > 0 ? ` Releases of the range with a security fix: ${summary.security}.` : '';
  return [`Judgement: ${JUDGEMENT_WORDS[judgement]}${by}.${silent}${fixes}\n`];
}

function advisoryLine({ advisories, fromVersion, from }: WhatsChanged): string[] {
  const words = advisories ? coveredWords(advisories) : null;
  return words === null ? [] : [`${escapedName(fromVersion ?? from)}: ${textWithCode(words)}\n`];
}

// What to do for the whole range, before the releases one by one.
function stepBlock({ steps, moreSteps = 0 }: WhatsChanged): string[] {
  if (steps.length === 0) return [];
  const lines = steps.map(({ text, versions, from }, index) => {
    const tellers = [...versions.map(escapedName), ...(from === 'package' ? ['seen in the package'] : [])].join(', ');
    return withoutTags(`${index + 1}. ${textWithCode(text)}${tellers ? ` (${tellers})` : ''}`);
  });
  if (moreSteps > 0) lines.push(`${steps.length + 1}. and ${moreSteps} more`);
  return [`## What to do\n\n${lines.join('\n')}\n`];
}

// The breaks that are left out below, before the newest releases.
function omittedBlock(breaks: readonly OmittedBreak[]): string[] {
  if (breaks.length === 0) return [];
  const lines = breaks.map(({ id, version, breaking, title, step }) => {
    const name = version === null ? null : escapedName(version);
    const head = `- ${[name, `(${breaking})`, title === version ? null : textWithCode(title), id].filter(Boolean).join(' ')}`;
    return withoutTags(step === null ? head : `${head}\n  First step: ${textWithCode(step.replace(/^[-*+]\s+/, ''))}`);
  });
  return [`## Breaking releases that are left out below\n\n${lines.join('\n')}\n`];
}

function entryBlock(entry: UpgradeEntry): string {
  const open = tag('Release', {
    id: entry.id,
    version: entry.version,
    date: entry.publishedAt?.slice(0, 10),
    published: entry.publishedAt,
    url: entry.url,
    breaking: entry.breaking,
    withdrawn: entry.withdrawn,
  });
  const heading = entry.title === entry.version ? null : `## ${textWithCode(entry.title)}`;
  const text = entry.summary ? textWithCode(entry.summary) : entry.excerpt || null;
  const notes = entry.migrationNotes ? `### Before you upgrade\n\n${entry.migrationNotes.trim()}` : null;
  const body = [heading, text, notes].filter((part) => part !== null).map(withoutTags);
  return `${open}\n${body.length > 0 ? `${body.join('\n\n')}\n` : ''}</Release>\n`;
}

// Removes tags, so that a text can neither end its own block nor begin another one.
function withoutTags(text: string): string {
  return text.replace(/<(?=\/?Release\b)/gi, '&lt;');
}

function nextCall({ omitted = 0, continue: rest, ...answer }: WhatsChanged, requested: MarkdownRequest): string | null {
  if (!answer.truncated) return null;
  if (rest === undefined) return `${omitted} more releases of this range are left out.\n`;
  const query = new URLSearchParams({ package: answer.package, from: rest.from, to: rest.to });
  if (answer.ecosystem !== null) query.set('ecosystem', answer.ecosystem);
  if (requested.org !== undefined) query.set('org', requested.org);
  if (requested.include_prereleases || rest.include_prereleases) query.set('include_prereleases', 'true');
  if (requested.breaking_only) query.set('breaking_only', 'true');
  if (requested.tokens !== undefined) query.set('tokens', String(requested.tokens));
  return `The ${omitted} older ${requested.breaking_only ? 'breaking releases' : 'releases'} of this range: GET /v1/whats-changed?${query}\n`;
}
