// The JSON body of release.created: rendered once, stored as it is, never rendered again.
import { releaseFields } from '../catalog/releases/release-fields.ts';
import { pick } from '../contract/pick.ts';
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
  const fields = releaseFields(release, webUrl);
  const body = {
    ...head,
    type: 'release.created',
    release: {
      ...pick(fields, 'id', 'title', 'version', 'publishedAt'),
      sourceName: source.name,
      sourceSlug: source.slug,
      sourceType: source.type,
      org,
      product,
      webUrl: fields.webUrl,
      summary: release.summary || plainText(release.content, EXCERPT) || null,
      ...pick(fields, 'titleGenerated', 'titleShort'),
      media: fields.media.slice(0, MAX_MEDIA),
      ...pick(fields, 'contentChars', 'contentTokens'),
      ...(fields.url ? { url: fields.url } : {}),
      ...pick(fields, 'type', 'breaking'),
      ...(fields.importance === null ? {} : { importance: fields.importance }),
      prerelease: fields.prerelease,
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
