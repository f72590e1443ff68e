// How the things of the registry are shown: columns of lists, fields of records.
import type { CollectionDetail, CollectionListItem } from '../../contract/collection.ts';
import type { OrgDetail, OrgListItem } from '../../contract/org.ts';
import type { ProductDetail } from '../../contract/product.ts';
import type { FeedItem, ReleaseDetail } from '../../contract/release.ts';
import type { SourceDetail, SourceItem } from '../../contract/source.ts';
import type { Tone } from './color.ts';
import type { Field, Output } from './output.ts';
import type { Column } from './table.ts';

export function day(timestamp: string | null | undefined): string {
  return timestamp?.slice(0, 10) ?? '';
}

export function scoped(orgSlug: string | null | undefined, slug: string): string {
  return orgSlug ? `${orgSlug}/${slug}` : slug;
}

export function breakingTone(breaking: string): Tone | null {
  if (breaking === 'major') return 'red';
  if (breaking === 'minor') return 'yellow';
  return breaking === 'unknown' ? 'dim' : null;
}

// What lists of releases show, whether it comes from a feed or from an event.
interface ListedRelease {
  id: string;
  version: string | null;
  title: string;
  titleGenerated: string | null;
  publishedAt: string | null;
  breaking?: string;
  webUrl: string;
}

export function releaseColumns<T extends ListedRelease>(sourceOf: (release: T) => string): readonly Column<T>[] {
  return [
    { title: 'PUBLISHED', value: (one) => one.publishedAt, short: (one) => day(one.publishedAt) },
    { title: 'SOURCE', value: sourceOf },
    { title: 'VERSION', value: (one) => one.version },
    { title: 'BREAKING', value: (one) => one.breaking, tone: (one) => breakingTone(one.breaking ?? 'unknown') },
    { title: 'TITLE', value: (one) => one.titleGenerated || one.title, flexible: true },
    { title: 'ID', value: (one) => one.id, plainOnly: true },
    { title: 'ADDRESS', value: (one) => one.webUrl, plainOnly: true },
  ];
}

export const FEED_COLUMNS = releaseColumns<FeedItem>(({ source }) => scoped(source.orgSlug, source.slug));

export const ORG_COLUMNS: readonly Column<OrgListItem>[] = [
  { title: 'ORG', value: ({ slug }) => slug },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'DOMAIN', value: ({ domain }) => domain },
  { title: 'SOURCES', value: ({ sourceCount }) => sourceCount },
  { title: 'RELEASES', value: ({ releaseCount }) => releaseCount },
  { title: 'LAST', value: ({ lastActivity }) => lastActivity, short: ({ lastActivity }) => day(lastActivity) },
  { title: 'ID', value: ({ id }) => id, plainOnly: true },
];

export const SOURCE_COLUMNS: readonly Column<SourceItem>[] = [
  { title: 'SOURCE', value: ({ orgSlug, slug }) => scoped(orgSlug, slug) },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'TYPE', value: ({ type }) => type },
  { title: 'RELEASES', value: ({ releaseCount }) => releaseCount },
  { title: 'LATEST', value: ({ latestVersion }) => latestVersion },
  { title: 'DATE', value: ({ latestDate }) => latestDate, short: ({ latestDate }) => day(latestDate) },
  {
    title: 'STATE',
    value: ({ fetchState }) => fetchState.state,
    tone: ({ fetchState }) => stateTone(fetchState.state),
  },
  { title: 'ID', value: ({ id }) => id, plainOnly: true },
];

function stateTone(state: string): Tone | null {
  if (state === 'failing') return 'red';
  return state === 'ok' ? 'green' : 'dim';
}

export const COLLECTION_COLUMNS: readonly Column<CollectionListItem>[] = [
  { title: 'COLLECTION', value: ({ slug }) => slug },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'MEMBERS', value: ({ memberCount }) => memberCount },
  { title: 'DESCRIPTION', value: ({ description }) => description, flexible: true },
];

export function orgFields(org: OrgDetail): Field[] {
  return [
    ['org', org.slug],
    ['name', org.name],
    ['id', org.id],
    ['domain', org.domain],
    ['category', org.category],
    ['description', org.description],
    ['status', org.status === 'stub' ? 'stub: known, but not tracked yet' : org.status],
    ['notice', org.notice?.message],
    ['releases', org.releaseCount],
    ['last 30 days', org.releasesLast30Days],
    ['last fetched', org.lastFetchedAt],
    ['tracked since', org.trackingSince],
    ['tag', org.tags],
    ['product', org.products.map(({ slug, name }) => `${org.slug}/${slug} (${name})`)],
    ['source', org.sources.map(({ slug, type, latestVersion }) => listed(`${org.slug}/${slug}`, type, latestVersion))],
  ];
}

export function productFields(product: ProductDetail): Field[] {
  const { orgSlug, slug } = product;
  return [
    ['product', `${orgSlug}/${slug}`],
    ['name', product.name],
    ['id', product.id],
    ['kind', product.kind],
    ['category', product.category],
    ['description', product.description],
    ['url', product.url],
    ['notice', product.notice?.message],
    ['releases', product.releaseCount],
    ['last 30 days', product.releasesLast30Days],
    ['last release', product.latestDate],
    ['tag', product.tags],
    ['source', product.sources.map((source) => listed(`${orgSlug}/${source.slug}`, source.type, null))],
  ];
}

export function sourceFields(source: SourceDetail): Field[] {
  const { fetchState } = source;
  return [
    ['source', scoped(source.orgSlug, source.slug)],
    ['name', source.name],
    ['id', source.id],
    ['type', source.type],
    ['url', source.url],
    ['product', source.productSlug && scoped(source.orgSlug, source.productSlug)],
    ['notice', source.notice?.message],
    ['releases', source.releaseCount],
    ['last 30 days', source.releasesLast30Days],
    ['latest version', source.latestVersion],
    ['latest release', source.latestDate],
    ['changelog file', source.hasChangelogFile],
    ['check state', fetchState.since === null ? fetchState.state : `${fetchState.state} since ${fetchState.since}`],
    ['last outcome', fetchState.outcome],
    ['last checked', source.lastPolledAt ?? source.lastFetchedAt],
    ['next check', fetchState.nextCheckAt],
    ['errors in a row', source.consecutiveErrors || null],
    ['tracked since', source.trackingSince],
  ];
}

export function releaseFields(release: ReleaseDetail): Field[] {
  return [
    ['release', release.id],
    ['title', release.titleGenerated || release.title],
    ['version', release.version],
    ['source', scoped(release.source.orgSlug, release.source.slug)],
    ['published', release.publishedAt],
    ['breaking', release.breaking],
    ['importance', release.importance],
    ['pre-release', release.prerelease || null],
    ['address', release.webUrl],
    ['original', release.url],
    ['summary', release.summary],
    ['before you upgrade', release.migrationNotes],
  ];
}

export function collectionFields(collection: CollectionDetail): Field[] {
  return [
    ['collection', collection.slug],
    ['name', collection.name],
    ['id', collection.id],
    ['description', collection.description],
    [
      'member',
      collection.members.map((one) =>
        one.kind === 'org' ? `${one.slug} (${one.name})` : `${one.org.slug}/${one.slug} (${one.name})`,
      ),
    ],
  ];
}

function listed(name: string, ...facts: (string | null)[]): string {
  return `${name} (${facts.filter(Boolean).join(', ')})`;
}

/** A record with the text that belongs to it, or the answer itself with --json. */
export function printRecord(
  output: Output,
  record: { answer: unknown; fields: readonly Field[]; text?: string },
): void {
  if (output.mode === 'json') {
    output.json(record.answer);
    return;
  }
  output.fields(record.fields);
  if (!record.text) return;
  output.line('');
  output.text(record.text);
}
