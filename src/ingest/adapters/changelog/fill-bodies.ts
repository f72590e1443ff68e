// Release bodies that only point at a changelog get the entry that they point at.
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import type { Computation } from '../../../threads/results.ts';
import { type Task, threadTask } from '../../../threads/task.ts';
import type { Item, StoredChangelog } from '../contract.ts';
import { type PairOptions, pairWithEntries } from './pair-tags.ts';

type Fillable = Pick<Item, 'version' | 'content' | 'media'>;

export function needsFilling(item: Pick<Fillable, 'version' | 'content'>): boolean {
  return item.version !== null && isPointer(item.content);
}

interface FillOptions extends PairOptions {
  // All known tags, when the items are only some of them: they show which packages there are.
  tags?: readonly string[];
}

interface FillInput<T extends Fillable> {
  items: readonly T[];
  files: readonly StoredChangelog[];
  options: FillOptions;
}

export function fillFrom({ items, files, options }: FillInput<Fillable>): Fillable[] {
  return fillBodies(items, files, options);
}

const FILLING = threadTask(import.meta.url, fillFrom);

// `fillBodies` as a computation. The time of day is not part of its key: it only rules out dates of the future.
export function bodyFilling<T extends Fillable>(input: FillInput<T>): Computation<FillInput<T>, T[]> {
  const { items, files, options } = input;
  const { now, ...rest } = options;
  const size = files.reduce((chars, { content }) => chars + content.length, 0);
  return { task: FILLING as unknown as Task<FillInput<T>, T[]>, input, size, key: { items, files, ...rest } };
}

// The same items, filled where an entry stands in the files.
function fillBodies<T extends Fillable>(
  items: readonly T[],
  files: readonly StoredChangelog[],
  options: FillOptions,
): T[] {
  const tags = [...new Set([...items.flatMap(({ version }) => version ?? []), ...(options.tags ?? [])])];
  const { byTag } = pairWithEntries(tags, files, options);
  return items.map((item) => {
    const body = needsFilling(item) ? byTag.get(item.version ?? '')?.body : undefined;
    if (!body?.trim()) return item;
    const content = tidyMarkdown(body);
    return { ...item, content, media: bodyMedia(content) };
  });
}

const MAX_POINTER = 400;
const LINK = /!?\[(?<label>[^\][]{0,200})\]\([^()\s]{0,2048}\)/g;
const ADDRESS = /<?https?:\/\/[^\s<>]+>?/gi;
const FILE = /\b[\w./-]*(?:changelog|changes|history|releases|news)\.(?:md|rst|txt)\b/gi;
const POINTS = /\b(?:change-?logs?|changes|history|notes|news|releases|changed)\b/i;
const FILLER = new Set(
  `a about all also and announcement are at available be below blog can change changed changelog changelogs changes
  check complete description detailed details docs documentation entry file find for found from full further github
  here history in info information is it list log look more news notes of on our out page please post read refer
  release released releases section see that the there these this to under up version view website what what's whats
  you`.split(/\s+/),
);

// An empty body, or one line that only points at a changelog.
export function isPointer(body: string): boolean {
  const line = body.trim();
  if (line === '') return true;
  if (line.length > MAX_POINTER || line.includes('\n')) return false;
  const text = line.replace(LINK, ' $<label> ');
  const pointsSomewhere = POINTS.test(text) || text !== line || /https?:\/\//i.test(line);
  const words = text
    .replace(ADDRESS, ' ')
    .replace(FILE, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}.'’@/-]+/u)
    .map((word) => word.replaceAll('’', "'").replace(/^[.'-]+|[.'-]+$/g, ''))
    .filter((word) => word !== '');
  return pointsSomewhere && words.every((word) => FILLER.has(word) || /^v?\d/.test(word) || /@v?\d/.test(word));
}
