import type { Context } from '../../context.ts';

interface AnswerCacheOptions<T> {
  // How long an answer is good for.
  maxAgeMs: (answer: T) => number;
  // The oldest goes when there are more.
  most: number;
}

interface CachedAnswer<T> {
  answer: Promise<T>;
  since: number;
  // Null while it is on its way; who asks then shares it.
  maxAgeMs: number | null;
}

// Answers that are good for a while, cached for each store.
export function cachedAnswers<T>({ maxAgeMs, most }: AnswerCacheOptions<T>) {
  const stores = new WeakMap<object, Map<string, CachedAnswer<T>>>();
  return (ctx: Context, key: string, read: () => Promise<T>): Promise<T> => {
    const answers = stores.get(ctx.store) ?? new Map<string, CachedAnswer<T>>();
    stores.set(ctx.store, answers);
    const now = ctx.clock().getTime();
    const known = answers.get(key);
    if (known && isGood(known, now)) return known.answer;
    const cached: CachedAnswer<T> = { answer: read(), since: now, maxAgeMs: null };
    answers.delete(key);
    if (answers.size >= most) answers.delete(answers.keys().next().value ?? '');
    answers.set(key, cached);
    cached.answer.then(
      (answer) => {
        cached.maxAgeMs = maxAgeMs(answer);
      },
      () => answers.delete(key),
    );
    return cached.answer;
  };
}

// A clock that was set back must not keep an answer for longer.
function isGood({ since, maxAgeMs }: CachedAnswer<unknown>, now: number): boolean {
  return maxAgeMs === null || (now >= since && now < since + maxAgeMs);
}
