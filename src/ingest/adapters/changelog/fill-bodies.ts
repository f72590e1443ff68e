// Release bodies that only point at a changelog get the entry that they point at.
import { bodyMedia } from '../../../domain/html/media.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import type { Computation } from '../../../threads/computed.ts';
import { type Task, threadTask } from '../../../threads/task.ts';
import type { Item, StoredChangelog } from '../contract.ts';
import { type PairOptions, pairWithEntries } from './pair-tags.ts';
import { isPointer } from './pointer.ts';

type Fillable = Pick<Item, 'version' | 'content' | 'media'>;

export function needsFilling(item: Pick<Fillable, 'version' | 'content'>): boolean {
  return item.version !== null && isPointer(item.content);
}

interface FillOptions extends PairOptions {
  // All that are known, where the items are not all: they tell which packages there are.
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

// `fillBodies` as a computation; the time of day only tells dates of the future apart.
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
