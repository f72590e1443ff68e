// What a stranger's text costs: the worst of the hostile kinds for the renderer of notes, for pages and for feeds, as
// time on the thread that answers requests.

import { renderMarkdown } from '../src/domain/markdown-html/render.ts';
import { articleBody } from '../src/ingest/adapters/feed/article-body.ts';
import { parsePage } from '../src/ingest/adapters/page/parse-page.ts';
import { HOSTILE_INPUTS } from '../test/hostile/inputs.ts';

const options = { address: 'https://acme.example/', names: [], now: new Date('2026-01-01T00:00:00Z') };

function worst(size: number, read: (text: string) => unknown): { ms: number; input: string } {
  let found = { ms: 0, input: '' };
  for (const { name, make } of HOSTILE_INPUTS) {
    const text = make(size);
    const start = performance.now();
    read(text);
    const ms = performance.now() - start;
    if (ms > found.ms) found = { ms, input: name };
  }
  return found;
}

export function hostileFigures(): Record<string, string> {
  const shown = ({ ms, input }: { ms: number; input: string }) => `${ms.toFixed(0)} ms (${input})`;
  return {
    'notes to HTML, 16 kB, worst kind': shown(worst(16_000, (text) => renderMarkdown(text))),
    'notes to HTML, 128 kB, worst kind': shown(worst(128_000, (text) => renderMarkdown(text))),
    'small page (32 kB, read at once), worst kind': shown(worst(32_000, (text) => parsePage(text, options))),
    'small article (32 kB, read at once), worst kind': shown(
      worst(32_000, (text) => articleBody(text, options.address)),
    ),
  };
}

if (import.meta.main) {
  for (const [name, figure] of Object.entries(hostileFigures())) console.log(`${name.padEnd(50)} ${figure}`);
}
