import type { Context } from '../../context.ts';
import { minuteOfKey } from '../../domain/doc-key.ts';
import { recency, scorer, type WeighedGroup } from '../../domain/search-text/score.ts';
import type { Corpus, FoundDocument } from './corpus.ts';
import { keyLadder } from './key-ladder.ts';

export interface Ranked {
  key: number;
  score: number;
}

export type Score = (document: FoundDocument, groups: readonly WeighedGroup[]) => Ranked;

/** How documents are scored now. */
export async function scoring(ctx: Context, corpus: Corpus): Promise<Score> {
  const { docs } = await keyLadder(ctx, corpus.index);
  const nowMs = ctx.clock().getTime();
  let last: { groups: readonly WeighedGroup[]; score: ReturnType<typeof scorer> } | null = null;
  return (document, groups) => {
    if (last?.groups !== groups) last = { groups, score: scorer(groups, docs) };
    // The key tells the date to the minute.
    const atMs = document.dated ? minuteOfKey(document.key) * 60_000 : null;
    return { key: document.key, score: last.score(document.text) * recency(atMs, nowMs) };
  };
}

export function bestFirst(a: Ranked, b: Ranked): number {
  return b.score - a.score || b.key - a.key;
}
