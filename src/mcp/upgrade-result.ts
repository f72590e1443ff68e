// The answer on an upgrade as tools give it: shorter forms of its entries, and its text.
import type { UpgradeEntry, WhatsChanged } from '../contract/whats-changed.ts';
import { blocks, day, facts, lines, QUOTE_NOTE } from './markdown.ts';
import { inline, link, quoted, shortened } from './quoting.ts';

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
  };
}

export function upgradeText(value: WhatsChanged, breakingOnly: boolean): string {
  const { summary, history, total, entries } = value;
  const { major, minor, none, unknown } = summary.breaking;
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
    entries.length > 0 && QUOTE_NOTE,
    ...entries.map(entryBlock),
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
