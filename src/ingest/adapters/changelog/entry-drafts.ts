// Changelog entries as drafts of releases.
import type { Draft } from '../../../catalog/releases/draft.ts';
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import { versionIdentity } from '../../../domain/versions/index.ts';
import { oneLine } from '../github/parse-releases.ts';
import type { FileEntry } from './entries.ts';

// One entry for each version; where two come to the same name, the upper one with the text of both.
export function distinctEntries(entries: readonly FileEntry[]): FileEntry[] {
  const byVersion = new Map<string, FileEntry>();
  for (const entry of entries) {
    const key = entry.versionText === null ? `#${entry.offset}` : versionIdentity(entry.versionText);
    const upper = byVersion.get(key);
    byVersion.set(key, upper ? withTextOf(upper, entry) : entry);
  }
  return [...byVersion.values()];
}

function withTextOf(upper: FileEntry, lower: FileEntry): FileEntry {
  const text = lower.body.trim();
  if (text === '' || upper.body.includes(text)) return upper;
  return { ...upper, body: [upper.body.trimEnd(), text].filter(Boolean).join('\n\n'), joined: upper.joined + 1 };
}

// Files begin with the newest entry, and the registry is filled from the oldest on.
export function oldestFirst(entries: readonly FileEntry[]): FileEntry[] {
  const dated = entries.flatMap(({ date }) => (date ? date.at : []));
  const rises = dated.length > 1 && (dated[0] ?? '') < (dated.at(-1) ?? '');
  return rises ? [...entries] : entries.toReversed();
}

export function entryDraft(entry: FileEntry): Draft {
  const content = tidyMarkdown(entry.body);
  return {
    title: oneLine(entry.title) || oneLine(entry.versionText ?? entry.heading),
    content,
    version: entry.versionText,
    url: entry.url,
    guid: null,
    publishedAt: entry.date?.at ?? null,
    media: bodyMedia(content),
    origin: 'changelog',
  };
}
