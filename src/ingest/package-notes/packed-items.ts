// The entries of a changelog inside of a package as items, each at the page of its version. A package that has upgrade
// guides alone tells by them what came with a version.
import { tidyMarkdown } from '../../domain/html/to-markdown.ts';
import { versionPage } from '../../domain/package-page.ts';
import { type GuideText, sectionsOfGuides } from '../../domain/upgrade/guide.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import { threadTask } from '../../threads/task.ts';
import { distinctEntries, entryDraft, fileEntries, oldestFirst } from '../adapters/changelog/entries.ts';
import type { Item } from '../adapters/contract.ts';

interface PackedText {
  text: string;
  // `named` is null for a package whose versions have no public pages.
  options: { path: string; named: PackageName | null; names: readonly string[]; now: Date };
}

export function packedItems({ text, options }: PackedText): Item[] {
  const { path, named, names, now } = options;
  const entries = fileEntries({ path, url: '', content: text }, null, { names, now });
  return oldestFirst(distinctEntries(entries)).map((entry) => ({
    ...entryDraft(entry),
    ...packed(),
    url: pageOf(named, entry.version),
    datePrecision: entry.date?.precision ?? null,
  }));
}

interface PackedGuides {
  guides: readonly GuideText[];
  named: PackageName | null;
}

export function guideItems({ guides, named }: PackedGuides): Item[] {
  const sections = [...sectionsOfGuides(guides)].sort(([one], [other]) => compareVersionKeys(one, other));
  return sections.map(([, { version, text }]) => ({
    ...packed(),
    title: version,
    content: tidyMarkdown(text),
    version,
    url: pageOf(named, version),
    guid: null,
    publishedAt: null,
    media: [],
    datePrecision: null,
  }));
}

function packed(): Pick<Item, 'origin' | 'dateFromUpdated' | 'categories' | 'links' | 'confidence'> {
  return { origin: 'changelog', dateFromUpdated: false, categories: [], links: [], confidence: 1 };
}

function pageOf(named: PackageName | null, version: string | null): string | null {
  return version === null || named === null ? null : versionPage(named, version);
}

export const PACKED_ITEMS = threadTask(import.meta.url, packedItems);
export const GUIDE_ITEMS = threadTask(import.meta.url, guideItems);
