// Work that may be done on a thread: a function that a module exports, on input and output that can be cloned.

export interface Task<Input, Output> {
  // Where a thread finds the function.
  module: string;
  name: string;
  // The same work on this thread.
  run: (input: Input) => Output;
}

// Declared beside the function, and in this form: `threadTask(import.meta.url, parseDocument)`. The build adds the name,
// because two functions of one name cannot keep it in one file.
export function threadTask<Input, Output>(
  module: string,
  run: (input: Input) => Output,
  name: string = run.name,
): Task<Input, Output> {
  return { module, name, run };
}

// The work took more processor time than it may and was stopped.
export class TaskTimeout extends Error {
  override name = 'TaskTimeout';
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`not done within ${limitMs / 1000} s`);
    this.limitMs = limitMs;
  }
}

// So much work waits already that this would not be done in time.
export class TooManyTasks extends Error {
  override name = 'TooManyTasks';
}

export interface TaskQuestion {
  module: string;
  name: string;
  input: unknown;
}

// `started`: the module is loaded, so what follows is the work itself. `at` is the processor time of the thread until then,
// in milliseconds.
export type TaskMessage =
  | { kind: 'started'; at: number }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; error: Error };
