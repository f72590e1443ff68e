// The columns of lists, and the formatting that records share with them.

import type { CollectionListItem } from '../../contract/collection.ts';
import type { OrgListItem } from '../../contract/org.ts';
import type { FeedItem } from '../../contract/release.ts';
import type { SourceItem } from '../../contract/source.ts';
import { VERDICT_WORDS, verdictWord } from '../../domain/upgrade/verdict-words.ts';
import type { Tone } from './color.ts';
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

// A verdict that a newer server knows is shown as it is.
export function wordOfBreaking(breaking: string | undefined): string | undefined {
  const known = breaking !== undefined && Object.hasOwn(VERDICT_WORDS, breaking);
  return known ? verdictWord(breaking as keyof typeof VERDICT_WORDS) : breaking;
}

// The fields that release lists show, from a feed or from an event.
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
    { title: 'RELEASE', value: (one) => openName(sourceOf(one), one), tableOnly: true, opens: true },
    { title: 'SOURCE', value: sourceOf, plainOnly: true },
    { title: 'VERSION', value: (one) => one.version, plainOnly: true },
    {
      title: 'VERDICT',
      value: (one) => one.breaking,
      // Scripts read the field of the contract, people the words.
      short: ({ breaking }) => wordOfBreaking(breaking),
      tone: (one) => breakingTone(one.breaking ?? 'unknown'),
    },
    { title: 'TITLE', value: (one) => one.titleGenerated || one.title, flexible: true },
    { title: 'ID', value: (one) => one.id, ifRoom: true },
    { title: 'ADDRESS', value: (one) => one.webUrl, plainOnly: true },
  ];
}

// The name by which `registry get` opens a release: its version at its source, else its id.
export function openName(source: string, { version, id }: { version: string | null; id: string | null }): string {
  return version === null || /\s/.test(version) ? (id ?? source) : `${source}@${version}`;
}

export const FEED_COLUMNS = releaseColumns<FeedItem>(({ source }) => scoped(source.orgSlug, source.slug));

export const ORG_COLUMNS: readonly Column<OrgListItem>[] = [
  { title: 'ORG', value: ({ slug }) => slug, opens: true },
  { title: 'NAME', value: ({ name }) => name, flexible: true },
  { title: 'DOMAIN', value: ({ domain }) => domain },
  { title: 'SOURCES', value: ({ sourceCount }) => sourceCount },
  { title: 'RELEASES', value: ({ releaseCount }) => releaseCount },
  { title: 'LAST', value: ({ lastActivity }) => lastActivity, short: ({ lastActivity }) => day(lastActivity) },
  { title: 'ID', value: ({ id }) => id, ifRoom: true },
];

export const SOURCE_COLUMNS: readonly Column<SourceItem>[] = [
  { title: 'SOURCE', value: ({ orgSlug, slug }) => scoped(orgSlug, slug), opens: true },
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
  { title: 'ID', value: ({ id }) => id, ifRoom: true },
];

function stateTone(state: string): Tone | null {
  if (state === 'failing') return 'red';
  return state === 'ok' ? 'green' : 'dim';
}

export const COLLECTION_COLUMNS: readonly Column<CollectionListItem>[] = [
  { title: 'COLLECTION', value: ({ slug }) => slug, opens: true },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'MEMBERS', value: ({ memberCount }) => memberCount },
  { title: 'DESCRIPTION', value: ({ description }) => description, flexible: true },
];
