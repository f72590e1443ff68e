import type { Context } from '../../context.ts';

interface KeptOptions<T> {
  /** How long an answer is good for. */
  keptMs: (answer: T) => number;
  /** The oldest goes when there are more. */
  most: number;
}

interface Kept<T> {
  answer: Promise<T>;
  since: number;
  /** Null while it is on its way; who asks then shares it. */
  keptMs: number | null;
}

/** Answers that are good for a while, kept for each store. */
export function keptAnswers<T>({ keptMs, most }: KeptOptions<T>) {
  const stores = new WeakMap<object, Map<string, Kept<T>>>();
  return (ctx: Context, key: string, read: () => Promise<T>): Promise<T> => {
    const answers = stores.get(ctx.store) ?? new Map<string, Kept<T>>();
    stores.set(ctx.store, answers);
    const now = ctx.clock().getTime();
    const known = answers.get(key);
    if (known && isGood(known, now)) return known.answer;
    const kept: Kept<T> = { answer: read(), since: now, keptMs: null };
    answers.delete(key);
    if (answers.size >= most) answers.delete(answers.keys().next().value ?? '');
    answers.set(key, kept);
    kept.answer.then(
      (answer) => {
        kept.keptMs = keptMs(answer);
      },
      () => answers.delete(key),
    );
    return kept.answer;
  };
}

// A clock that was set back must not keep an answer for longer.
function isGood({ since, keptMs }: Kept<unknown>, now: number): boolean {
  return keptMs === null || (now >= since && now < since + keptMs);
}
