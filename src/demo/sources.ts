import type { Category } from '../contract/enums.ts';
import { deriveSlug } from '../domain/slugs.ts';
import { type CastOrg, type CastSource, noteDefaults } from './cast.ts';
import { createVoice, type Voice } from './changes.ts';
import { writeLaunchOf } from './launch-posts.ts';
import type { Random } from './random.ts';
import { type Notes, writeNotes } from './release-notes.ts';
import { sourceAddress, sourceMetadata } from './source-address.ts';
import { DAY_MS, type PlannedRelease, planTimeline } from './timeline.ts';
import type { DemoRelease, DemoSource } from './types.ts';
import { AREAS } from './vocabulary-areas.ts';

// A source as it is being built: the wire data and what is known about how it came to be.
export type SourceDraft = {
  cast: CastSource;
  org: CastOrg | null;
  source: DemoSource;
  // One for each release, in the same order.
  planned: PlannedRelease[];
  voice: Voice;
};

// A release that the blog of its org also tells about.
export type Anchor = { draft: SourceDraft; row: number };
type AnchorUse = { anchor: Anchor; row: number };

export function draftSource(random: Random, input: DraftInput): SourceDraft {
  const { cast, org, today } = input;
  const domain = org ? domainOf(org) : `${cast.slug}.example`;
  const url = sourceAddress(cast, domain);
  const defaults = noteDefaults(cast.type);
  const voice = createVoice(random, AREAS[cast.speaks ?? org?.speaks ?? input.area], {
    product: speakingName(cast, org),
    home: cast.repo ? `https://github.com/${cast.repo}` : url,
    domain,
    repo: cast.repo ?? null,
    parts: cast.parts ?? org?.parts ?? [],
    onlyParts: cast.parts !== undefined,
    detail: cast.detail ?? 1,
  });
  const createdAt = today - Math.min(cast.ageDays ?? 730, random.int(60, 690)) * DAY_MS + random.int(0, 86_399) * 1000;
  const planned = planTimeline(random, {
    today,
    count: input.count,
    scheme: cast.versions ?? defaults.versions,
    style: cast.style ?? defaults.style,
    ageDays: cast.ageDays ?? 730,
    quietDays: cast.quietDays ?? 0,
    undated: cast.undated ?? 0.004,
    dayPrecision: cast.type === 'scrape' || cast.type === 'agent',
    start: cast.start ?? '1.0.0',
    prefix: cast.repo?.split('/')[1] ?? cast.slug,
    packages: cast.packages ?? [],
  });
  const source: DemoSource = {
    key: `${org?.slug ?? '-'}/${cast.slug}`,
    orgSlug: org?.slug ?? null,
    productSlug: cast.product ?? null,
    slug: cast.slug,
    name: cast.name ?? cast.repo?.split('/')[1] ?? cast.slug,
    type: cast.type,
    url,
    kind: cast.kind ?? null,
    metadata: { ...sourceMetadata(cast, domain, url), ...cast.metadata },
    isPrimary: cast.isPrimary ?? false,
    isHidden: cast.isHidden ?? false,
    discovery: cast.discovery ?? 'curated',
    fetchPriority: cast.fetchPriority ?? 'normal',
    stars: cast.stars ?? null,
    notice: cast.notice ?? null,
    state: {
      lastFetchedAt: null,
      lastPolledAt: null,
      changeDetectedAt: null,
      lastOutcome: null,
      failingSince: null,
      consecutiveNoChange: 0,
      consecutiveErrors: 0,
      starsFetchedAt: cast.stars === undefined ? null : iso(today - 5 * 3_600_000),
    },
    releases: [],
    changelogFiles: [],
    summaries: [],
    fetchLog: [],
    createdAt: iso(createdAt),
  };
  return { cast, org, source, planned, voice };
}

type DraftInput = {
  cast: CastSource;
  org: CastOrg | null;
  // Category of the org, or the field of a source without one.
  area: Category;
  today: number;
  count: number;
};

// Writes the releases; `anchors` are the launches that this blog also covers. Answers which row covers which.
export function writeReleases(
  random: Random,
  draft: SourceDraft,
  { today, anchors = [] }: { today: number; anchors?: Anchor[] },
): AnchorUse[] {
  const covered = placeAnchors(random, draft, today, anchors);
  const style = draft.cast.style ?? noteDefaults(draft.cast.type).style;
  const urls = new Set<string>();

  if (draft.cast.future) {
    const last = draft.planned.at(-1);
    if (last) Object.assign(last, { at: today + 2 * DAY_MS + 10 * 3_600_000, isDated: true });
  }

  const uses: AnchorUse[] = [];
  draft.source.releases = draft.planned.map((planned, row) => {
    const anchor = covered.get(planned);
    if (anchor) uses.push({ anchor, row });
    const notes = anchor ? coverageNotes(random, draft, anchor) : writeNotes(random, draft.voice, { planned, style });
    return toRelease(random, draft, planned, notes, urls, today);
  });
  return uses;
}

// Moves the nearest free post to the hours after each launch.
function placeAnchors(
  random: Random,
  draft: SourceDraft,
  today: number,
  anchors: Anchor[],
): Map<PlannedRelease, Anchor> {
  const placed = new Map<PlannedRelease, Anchor>();
  for (const anchor of anchors) {
    const launchedAt = anchor.draft.planned[anchor.row]?.at ?? 0;
    const at = launchedAt + random.int(1, 20) * 3_600_000;
    const free = draft.planned.filter((planned) => !placed.has(planned));
    const nearest = free.reduce<PlannedRelease | null>(
      (best, planned) => (!best || Math.abs(planned.at - at) < Math.abs(best.at - at) ? planned : best),
      null,
    );
    if (!nearest || at >= today) continue;
    Object.assign(nearest, { at, isDated: true });
    placed.set(nearest, anchor);
  }
  draft.planned.sort((a, b) => a.at - b.at);
  return placed;
}

function coverageNotes(random: Random, draft: SourceDraft, anchor: Anchor): Notes {
  const release = anchor.draft.source.releases[anchor.row];
  const number = anchor.draft.planned[anchor.row]?.number ?? '1.0.0';
  const voice = { ...draft.voice, product: anchor.draft.voice.product };
  return writeLaunchOf(random, voice, { number, url: release?.url ?? voice.home });
}

function toRelease(
  random: Random,
  draft: SourceDraft,
  planned: PlannedRelease,
  notes: Notes,
  urls: Set<string>,
  today: number,
): DemoRelease {
  const { cast, source } = draft;
  const url = releaseUrl(random, draft, planned, notes.title, urls);
  const media = cast.type === 'video' ? notes.media.map((item) => ({ ...item, linkUrl: url })) : notes.media;
  // Nothing is indexed before its source was added, and nothing after today's midnight.
  const seen = Math.max(planned.at + random.int(4, 240) * 60_000, Date.parse(source.createdAt) + 90_000);
  return {
    title: notes.title,
    content: notes.content,
    ...(planned.tag && { version: planned.tag }),
    ...(url && { url }),
    ...(cast.type === 'github' && { guid: String(random.int(190_000_000, 299_999_999)) }),
    ...(cast.type === 'feed' && { guid: `urn:${draft.voice.domain}:${deriveSlug(notes.title)}:${random.hex(6)}` }),
    ...(planned.isDated && { publishedAt: iso(planned.at) }),
    ...(media.length > 0 && { media }),
    ...(notes.type && { type: notes.type }),
    ...(cast.type === 'github' && { prerelease: planned.isPrerelease }),
    ...(notes.breaking && { breaking: notes.breaking }),
    ...(notes.migrationNotes && { migrationNotes: notes.migrationNotes }),
    fetchedAt: iso(Math.min(seen, today)),
  };
}

function releaseUrl(random: Random, draft: SourceDraft, planned: PlannedRelease, title: string, urls: Set<string>) {
  const { cast, source } = draft;
  if (cast.repo) return `https://github.com/${cast.repo}/releases/tag/${encodeURIComponent(planned.tag ?? title)}`;
  if (cast.type === 'appstore') return `${source.url}?v=${planned.number}`;
  if (cast.type === 'video') return `${new URL(source.url).origin}/watch/${random.hex(11)}`;
  // Some entries that were gathered by hand have no address of their own.
  if (cast.type === 'agent' && random.chance(0.2)) return undefined;

  const isAnchored = cast.type === 'scrape' && source.key.length % 2 === 0;
  const base = `${source.url}${isAnchored ? '#' : '/'}${deriveSlug(planned.tag ?? title) ?? 'entry'}`;
  let url = base;
  for (let n = 2; urls.has(url); n++) url = `${base}-${n}`;
  urls.add(url);
  return url;
}

// The name used in running text: the product where a source is its main voice, the repository for a part of it.
function speakingName(cast: CastSource, org: CastOrg | null): string {
  const product = org?.products?.find((candidate) => candidate.slug === cast.product);
  const repository = cast.repo?.split('/')[1];
  if (cast.type === 'appstore') return cast.name ?? cast.slug;
  if (!repository) return product?.name ?? org?.name ?? cast.name ?? cast.slug;
  const siblings =
    org?.sources.filter((other) => other.type === 'github' && other.product === cast.product).length ?? 1;
  return product && siblings === 1 ? product.name : repository;
}

export function domainOf(org: CastOrg): string {
  return org.domain ?? `${org.slug}.example`;
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}
