// The tags of a package at its registry (`latest`, `next`, `beta`), each of which names one of its versions.
import { compareVersionKeys, versionSort } from '../versions/index.ts';

export type DistTags = Readonly<Record<string, string>>;

const TAG = /^[a-z\d][\w.+/-]{0,99}$/i;
const MAX_TAGS = 300;

// The tags of a document that name a listed version; of very many, the shortest, which people write.
export function readDistTags(
  tags: Readonly<Record<string, unknown>>,
  isListed: (version: string) => boolean,
): DistTags {
  const read = Object.entries(tags).filter(
    (entry): entry is [string, string] => TAG.test(entry[0]) && typeof entry[1] === 'string' && isListed(entry[1]),
  );
  const kept = read.length <= MAX_TAGS ? read : read.sort(([a], [b]) => a.length - b.length).slice(0, MAX_TAGS);
  return Object.fromEntries(kept);
}

const VERSION = /^[v=]?\d+(?:\.\d+)*$|^[v=]?\d+\.\d+\.\d/i;

// Whether a text may be a tag: no registry takes a version for one.
export function couldBeTag(text: string): boolean {
  return TAG.test(text.trim()) && !VERSION.test(text.trim());
}

// The version that a text names by a tag; null when it is none.
export function taggedVersion(tags: DistTags, text: string): string | null {
  const asked = text.trim();
  const tag = [asked, asked.toLowerCase()].find((one) => Object.hasOwn(tags, one));
  return tag === undefined ? null : (tags[tag] ?? null);
}

const MAX_NAMED = 20;

// The tags that there are, those of the highest versions first.
export function distTagWords(tags: DistTags): string {
  const keyed = Object.entries(tags).map(([tag, version]) => ({ tag, key: versionSort(version) ?? '' }));
  const falling = keyed.sort((a, b) => compareVersionKeys(b.key, a.key) || (a.tag < b.tag ? -1 : 1));
  const named = falling.slice(0, MAX_NAMED).map(({ tag }) => tag);
  const more = falling.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
