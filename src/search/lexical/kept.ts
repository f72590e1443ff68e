import type { Context } from '../../context.ts';

export interface KeptOptions {
  keptMs: number;
  /** The oldest goes when there are more. */
  most: number;
}

/** Answers that are good for a while, kept for each store; who asks while one is on its way shares it. */
export function keptAnswers<T>({ keptMs, most }: KeptOptions) {
  const stores = new WeakMap<object, Map<string, { until: number; answer: Promise<T> }>>();
  return (ctx: Context, key: string, read: () => Promise<T>): Promise<T> => {
    const answers = stores.get(ctx.store) ?? new Map();
    stores.set(ctx.store, answers);
    const now = ctx.clock().getTime();
    const known = answers.get(key);
    // A clock that was set back must not keep an answer for longer.
    if (known && known.until > now && known.until <= now + keptMs) return known.answer;
    const answer = read();
    answers.delete(key);
    if (answers.size >= most) answers.delete(answers.keys().next().value ?? '');
    answers.set(key, { until: now + keptMs, answer });
    answer.catch(() => answers.delete(key));
    return answer;
  };
}
