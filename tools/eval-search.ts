// Measures the search: `npm run eval:search -- <folder or file> [--queries file] [--most n] [--lexical] [--verbose]`.
// A folder holds changelogs `X.md`; queries are made from them, and read from a file of judged ones. A file holds
// paraphrases: `pairs` of document and query, and `distractors`. A registry of its own is built, with the local
// embedder; `--lexical` does without. Ends with 1 when a bar does not hold.
import { parseArgs } from 'node:util';
import { SEARCH_MODES } from '../src/contract/search.ts';
import { barsOf } from './eval-search/bars.ts';
import { type Figures, type Measured, measure } from './eval-search/measure.ts';
import { readSet } from './eval-search/read-set.ts';
import { buildRegistry } from './eval-search/registry.ts';

const MAX_RELEASES = 60;

async function main(): Promise<number> {
  const requested = readArguments();
  const path = requested?.positionals[0];
  if (!requested || path === undefined) {
    console.error('usage: npm run eval:search -- <folder or file> [--queries file] [--most n] [--lexical] [--verbose]');
    return 2;
  }
  const { values } = requested;
  const most = Number(values.most ?? MAX_RELEASES);
  const set = readSet(path, { queries: values.queries, most, now: new Date() });
  const releases = set.sources.reduce((sum, source) => sum + source.releases.length, 0);
  console.log(`${set.sources.length} sources, ${releases} releases, ${set.queries.length} queries`);
  if (set.queries.length === 0) {
    console.error(`nothing to judge in ${path}`);
    return 2;
  }
  const embed = !values.lexical;
  const registry = await buildRegistry(set.sources, { embed, onProgress });
  if (embed) process.stderr.write('\n');
  try {
    const measured = await measure(registry.ctx, set.queries, {
      keys: registry.keys,
      modes: embed ? SEARCH_MODES : ['lexical'],
      onMiss: ({ mode, query, sort }) => {
        if (values.verbose) console.log(`missed (${mode}, ${sort}): ${query}`);
      },
    });
    return report(measured);
  } finally {
    await registry.close();
  }
}

// Null when an argument is unknown.
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        queries: { type: 'string' },
        most: { type: 'string' },
        lexical: { type: 'boolean' },
        verbose: { type: 'boolean' },
      },
    });
  } catch {
    return null;
  }
}

function onProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}`);
}

function report(measured: Measured): number {
  console.log(row(['mode', 'class', 'queries', 'nDCG@10', 'recall@10', 'recall@20', 'first']));
  for (const [mode, classes] of measured) {
    for (const [sort, figures] of classes) console.log(row([mode, sort, ...cells(figures)]));
  }
  const bars = barsOf(measured);
  for (const { name, holds, figures } of bars) console.log(`${holds ? 'holds ' : 'FAILED'} ${name}: ${figures}`);
  return bars.every(({ holds }) => holds) ? 0 : 1;
}

function cells({ queries, ndcg10, recall10, recall20, first }: Figures): string[] {
  return [String(queries), ...[ndcg10, recall10, recall20, first].map((value) => value.toFixed(3))];
}

function row(texts: readonly string[]): string {
  return texts
    .map((text) => text.padEnd(11))
    .join(' ')
    .trimEnd();
}

process.exitCode = await main();
