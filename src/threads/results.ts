// Results of work on long texts. They are worked out on threads before a transaction opens, so that no text holds the lock
// of the database. A text that is known only inside of a transaction is worked out there, on a thread for nothing else.
import { MAX_INLINE_CHARS, onThread, onTransactionThread } from './documents.ts';
import type { Task } from './task.ts';

// Work on one text. `size` is the length of the text, and `key` names the result where the input holds more than decides
// on it, such as the time of day.
export interface Computation<Input, Output> {
  task: Task<Input, Output>;
  input: Input;
  size: number;
  key?: unknown;
}

// Part of a context: whether a transaction is open, and what was worked out before.
interface Surroundings {
  tx?: unknown;
  results?: TextResults | undefined;
}

// The result of a computation: of a small text at once, of a long one from before or from a thread.
export async function resultOf<Input, Output>(
  { tx, results }: Surroundings,
  computation: Computation<Input, Output>,
): Promise<Output> {
  const { task, input, size } = computation;
  if (size <= MAX_INLINE_CHARS) return task.run(input);
  const work = () => (tx === undefined ? onThread(task, input) : onTransactionThread(task, input));
  return results ? results.take(computation, work) : work();
}

// The same context with a place for results. They last as long as the work that the context is used for.
export function withResults<T extends Surroundings>(ctx: T): T {
  return ctx.results ? ctx : { ...ctx, results: new TextResults() };
}

export class TextResults {
  readonly #outputs = new Map<string, Promise<unknown>>();
  // Numbers the long texts, so that no text has to be hashed or copied to identify a result.
  readonly #texts = new Map<string, number>();
  #holdsSmall = false;

  take<Input, Output>(computation: Computation<Input, Output>, work: () => Promise<Output>): Promise<Output> {
    const name = this.#nameOf(computation);
    const output = (this.#outputs.get(name) as Promise<Output> | undefined) ?? work();
    this.#outputs.set(name, output);
    return output;
  }

  // Works out a small text ahead, too, which is otherwise read where it is needed.
  async keep<Input, Output>(computation: Computation<Input, Output>): Promise<void> {
    this.#holdsSmall = true;
    await this.take(computation, async () => computation.task.run(computation.input));
  }

  // What was kept. It costs nothing where nothing was.
  kept<Input, Output>(computation: () => Computation<Input, Output>): Promise<Output> | undefined {
    if (!this.#holdsSmall) return undefined;
    return this.#outputs.get(this.#nameOf(computation())) as Promise<Output> | undefined;
  }

  #nameOf<Input, Output>({ task, input, key = input }: Computation<Input, Output>): string {
    const short = JSON.stringify(key, (_, value: unknown) => {
      if (value instanceof Set || value instanceof Map) return [...value];
      if (typeof value !== 'string' || value.length <= MAX_INLINE_CHARS) return value;
      const number = this.#texts.get(value) ?? this.#texts.size;
      this.#texts.set(value, number);
      return { text: number };
    });
    return `${task.module}#${task.name} ${short}`;
  }
}
