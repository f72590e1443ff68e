// The answer on an upgrade as tools give it: shorter forms of its entries, and its text.
import type { OmittedBreak, UpgradeEntry, WhatsChanged } from '../contract/whats-changed.ts';
import { firstStep } from '../domain/upgrade/omitted.ts';
import { blocks, day, facts, lines, QUOTE_NOTE } from './markdown.ts';
import { inline, link, quoted, shortened } from './quoting.ts';

export function isBreak({ breaking }: UpgradeEntry): boolean {
  return breaking === 'major' || breaking === 'minor';
}

export function shortBreak({ id, version, breaking, title, migrationNotes }: UpgradeEntry): OmittedBreak {
  return { id, version, breaking, title, step: firstStep(migrationNotes) };
}

export function excerptUpgrade(value: WhatsChanged, length: number): WhatsChanged {
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
  };
}

function shortenBreak({ title, step, ...named }: OmittedBreak, length: number): OmittedBreak {
  return { ...named, title: shortened(title, Math.max(length, 40)), step: (step && shortened(step, length)) || null };
}

export function upgradeText(value: WhatsChanged, breakingOnly: boolean): string {
  const { summary, history, total, entries } = value;
  const { major, minor, none, unknown } = summary.breaking;
  const unnamed = major + minor - entries.filter(isBreak).length - (value.omittedBreaking?.length ?? 0);
  return blocks(
    `# ${inline(value.package)}: ${inline(value.fromVersion ?? value.from)} to ${inline(value.toVersion ?? value.to)}`,
    lines(
      facts(
        `status ${value.status}`,
        value.worst !== null && `worst verdict ${value.worst}`,
        value.reason && `reason ${value.reason}`,
      ),
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
      summary.firstBreaking !== null && `first break in ${inline(summary.firstBreaking)}`,
      value.omittedPrereleases > 0 && `${value.omittedPrereleases} pre-releases are not counted`,
      history?.complete === false &&
        `The stored history is incomplete (${inline(history.lowest ?? '?')} to ${inline(history.highest ?? '?')}): releases of the range may be missing, so this is not a statement that nothing breaks.`,
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
    entries.length > 0 && QUOTE_NOTE,
    value.omittedBreaking &&
      lines('Breaking releases that are left out below, oldest first:', ...value.omittedBreaking.map(breakBlock)),
    unnamed > 0 && `${unnamed} more breaking releases are not named here; a larger max_tokens names them.`,
    ...entries.map(entryBlock),
  );
}

function breakBlock({ id, version, breaking, title, step }: OmittedBreak): string {
  return lines(
    facts(`- ${id}`, version !== null && `version ${inline(version)}`, `breaking ${breaking}`),
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
      `breaking ${entry.breaking}`,
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
