import type { Context } from '../../context.ts';

interface AnswerCacheOptions<T> {
  // How long an answer stays valid.
  maxAgeMs: (answer: T) => number;
  // The most answers that are cached; beyond it the oldest is dropped.
  most: number;
}

interface TimedAnswer<T> {
  answer: Promise<T>;
  since: number;
  // Null while the answer is being computed; concurrent callers share it.
  maxAgeMs: number | null;
}

// Caches answers for a limited time, separately for each store.
export function cachedAnswers<T>({ maxAgeMs, most }: AnswerCacheOptions<T>) {
  const stores = new WeakMap<object, Map<string, TimedAnswer<T>>>();
  return (ctx: Context, key: string, read: () => Promise<T>): Promise<T> => {
    const answers = stores.get(ctx.store) ?? new Map<string, TimedAnswer<T>>();
    stores.set(ctx.store, answers);
    const now = ctx.clock().getTime();
    const known = answers.get(key);
    if (known && isGood(known, now)) return known.answer;
    const cached: TimedAnswer<T> = { answer: read(), since: now, maxAgeMs: null };
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

// A clock that was set back must not make an answer valid for longer.
function isGood({ since, maxAgeMs }: TimedAnswer<unknown>, now: number): boolean {
  return maxAgeMs === null || (now >= since && now < since + maxAgeMs);
}
