// The entries of a changelog inside of a package as items, each at the page of its version.
import { versionPage } from '../../domain/package-page.ts';
import type { PackageName } from '../../domain/upgrade/asked.ts';
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
    origin: 'changelog',
    url: entry.version === null || named === null ? null : versionPage(named, entry.version),
    datePrecision: entry.date?.precision ?? null,
    dateFromUpdated: false,
    categories: [],
    links: [],
    confidence: 1,
  }));
}

export const PACKED_ITEMS = threadTask(import.meta.url, packedItems);
