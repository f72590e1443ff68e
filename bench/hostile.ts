// What a stranger's text costs on the thread that answers requests: the worst of the hostile kinds for the renderer of
// notes, and for documents that are small enough to be read there.
import { renderMarkdown } from '../src/domain/markdown-html/render.ts';
import { articleBody } from '../src/ingest/adapters/feed/article-body.ts';
import { parseFeed } from '../src/ingest/adapters/feed-document/parse-feed.ts';
import { parsePage } from '../src/ingest/adapters/scrape/parse-page.ts';
import { HOSTILE_INPUTS } from '../test/hostile/inputs.ts';
import type { Figure } from './figures.ts';
import { threadMs } from './processor-time.ts';

const LIMIT_MS = 50;
const url = 'https://acme.example/';
const now = new Date('2026-01-01T00:00:00Z');

const READERS: readonly [name: string, size: number, read: (text: string) => unknown][] = [
  // Another base each time, because what is rendered once is kept.
  ['notes to HTML, 4 kB', 4_000, (text) => renderMarkdown(text, { base: `${url}${performance.now()}` })],
  ['page, 8 kB', 8_000, (text) => parsePage(text, { address: url, names: [], now })],
  ['article, 8 kB', 8_000, (text) => articleBody(text, url)],
  ['feed, 8 kB', 8_000, (text) => parseFeed(text, { url, now })],
];

export function benchHostile(): Figure[] {
  return READERS.map(([name, size, read]) => {
    const { ms, input } = worst(size, read);
    return {
      name: `hostile ${name}`,
      value: ms,
      unit: 'ms',
      target: `at most ${LIMIT_MS} ms of processor time`,
      holds: ms <= LIMIT_MS,
      detail: `worst of ${HOSTILE_INPUTS.length} kinds: ${input}`,
    };
  });
}

function worst(size: number, read: (text: string) => unknown): { ms: number; input: string } {
  let found = { ms: 0, input: '' };
  for (const { name, make } of HOSTILE_INPUTS) {
    const text = make(size);
    const ms = Math.min(cost(read, text), cost(read, text));
    if (ms > found.ms) found = { ms, input: name };
  }
  return found;
}

function cost(read: (text: string) => unknown, text: string): number {
  const start = threadMs();
  read(text);
  return threadMs() - start;
}
