// The JSON body of release.created: rendered once, stored as it is, never rendered again.
import { readMedia, releaseWebUrl } from '../catalog/releases/item.ts';
import { plainText } from '../domain/notes/index.ts';
import type { AnnouncedRelease } from '../ports.ts';

const MAX_BYTES = 20_480;
const MAX_MEDIA = 10;
const EXCERPT = 300;

interface EventHead {
  id: string;
  seq: number;
  ts: number;
}

export function renderReleaseCreated(head: EventHead, announced: AnnouncedRelease, webUrl: string): string {
  const { release, source, org, product } = announced;
  const body = {
    ...head,
    type: 'release.created',
    release: {
      id: release.id,
      title: release.title,
      version: release.version,
      publishedAt: release.published_at,
      sourceName: source.name,
      sourceSlug: source.slug,
      sourceType: source.type,
      org,
      product,
      webUrl: releaseWebUrl(webUrl, release),
      summary: release.summary || plainText(release.content, EXCERPT) || null,
      titleGenerated: release.title_generated,
      titleShort: release.title_short,
      media: readMedia(release.media).slice(0, MAX_MEDIA),
      contentChars: release.content_chars,
      contentTokens: release.content_tokens,
      ...(release.url ? { url: release.url } : {}),
      type: release.type,
      breaking: release.breaking,
      ...(release.importance === null ? {} : { importance: release.importance }),
      prerelease: release.prerelease === 1,
    },
  };
  return fitted(body);
}

// Media go first, from the end; then the summary is cut until the whole fits.
function fitted(body: { release: { media: unknown[]; summary: string | null } }): string {
  let text = JSON.stringify(body);
  while (Buffer.byteLength(text) > MAX_BYTES && body.release.media.length > 0) {
    body.release.media.pop();
    text = JSON.stringify(body);
  }
  while (Buffer.byteLength(text) > MAX_BYTES && body.release.summary) {
    body.release.summary = body.release.summary.slice(0, Math.floor(body.release.summary.length / 2)) || null;
    text = JSON.stringify(body);
  }
  return text;
}
