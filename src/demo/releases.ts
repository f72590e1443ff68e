// The releases of one source as the service would take them.
import { deriveSlug } from '../domain/slugs.ts';
import type { Notes } from './blocks.ts';
import { DAY_MS, iso } from './dates.ts';
import { writeNotes } from './notes.ts';
import { writeLaunchOf } from './posts.ts';
import { releaseAddress } from './source-address.ts';
import type { SourceDraft } from './sources.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoRelease } from './types.ts';

// A release that the blog of its org also writes about.
export type Anchor = { draft: SourceDraft; row: number };
type AnchorUse = { anchor: Anchor; row: number };

// Writes the releases; `anchors` are the launches that this blog also covers. Returns which row covers which.
export function writeReleases(draft: SourceDraft, today: number, anchors: readonly Anchor[] = []): AnchorUse[] {
  const covered = placeAnchors(draft, today, anchors);
  const taken = new Set<string>();
  const last = draft.planned.at(-1);
  if (draft.cast.future && last) Object.assign(last, { at: today + 2 * DAY_MS + 10 * 3_600_000, isDated: true });

  const uses: AnchorUse[] = [];
  draft.source.releases = draft.planned.map((planned, row) => {
    const anchor = covered.get(planned);
    if (anchor) uses.push({ anchor, row });
    const notes = anchor ? coverageNotes(draft, anchor) : writeNotes(draft.voice, planned, draft.cast.style);
    return toRelease(draft, planned, {
      notes,
      url: releaseAddress(draft, planned, { title: notes.title, taken }),
      today,
    });
  });
  return uses;
}

// Moves the nearest free post to the hours after each launch.
function placeAnchors({ voice, planned }: SourceDraft, today: number, anchors: readonly Anchor[]) {
  const placed = new Map<PlannedRelease, Anchor>();
  for (const anchor of anchors) {
    const at = (anchor.draft.planned[anchor.row]?.at ?? 0) + voice.random.int(1, 20) * 3_600_000;
    const [nearest] = planned
      .filter((post) => !placed.has(post))
      .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at));
    if (!nearest || at >= today) continue;
    Object.assign(nearest, { at, isDated: true });
    placed.set(nearest, anchor);
  }
  planned.sort((a, b) => a.at - b.at);
  return placed;
}

function coverageNotes({ voice }: SourceDraft, { draft, row }: Anchor): Notes {
  const url = draft.source.releases[row]?.url ?? voice.home;
  return writeLaunchOf(
    { ...voice, product: draft.voice.product },
    { number: draft.planned[row]?.number ?? '1.0.0', url },
  );
}

function toRelease(
  { cast, source, voice }: SourceDraft,
  planned: PlannedRelease,
  { notes, url, today }: { notes: Notes; url: string | undefined; today: number },
): DemoRelease {
  const { random } = voice;
  const media = (notes.media ?? []).map((item) => (cast.type === 'video' ? { ...item, linkUrl: url } : item));
  // Nothing is indexed before its source was added, and nothing after today's midnight.
  const seen = Math.max(planned.at + random.int(4, 240) * 60_000, Date.parse(source.createdAt) + 90_000);
  return {
    ...notes,
    ...(planned.tag && { version: planned.tag }),
    ...(url && { url }),
    ...(cast.type === 'github' && { guid: String(random.int(190_000_000, 299_999_999)) }),
    ...(cast.type === 'feed' && { guid: `urn:${voice.domain}:${deriveSlug(notes.title)}:${random.hex(6)}` }),
    ...(planned.isDated && { publishedAt: iso(planned.at) }),
    media: media.length > 0 ? media : undefined,
    ...(cast.type === 'github' && { prerelease: planned.isPrerelease }),
    fetchedAt: iso(Math.min(seen, today)),
  };
}
