// The public feed of a repository's releases: what says, without a token and a quota, that there is something new.
import { createHash } from 'node:crypto';

const ENTRY = /<entry\b[^>]*>[\s\S]*?<\/entry>/g;
// Avatars change without the release changing.
const THUMBNAIL = /<media:thumbnail\b[^>]*>/g;

// A hash of the entries, null when the text is no Atom feed.
export function atomHash(text: string): string | null {
  if (!/<feed\b[^>]*\bxmlns\b/.test(text.slice(0, 2000))) return null;
  const entries = text.match(ENTRY) ?? [];
  return createHash('sha256').update(entries.join('\n').replace(THUMBNAIL, '')).digest('hex');
}
