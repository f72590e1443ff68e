// A task is an exported function that may run on a thread; its input and output can be cloned.

export interface Task<Input, Output> {
  // The address of the module that exports the function.
  module: string;
  name: string;
  // The function itself, for the current thread.
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

// The cause is the error with which the thread crashed, if it did.
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';

  constructor(cause?: unknown) {
    super('the thread has ended', { cause });
  }
}

// The work met a limit and was stopped.
export class TaskStopped extends Error {
  override name = 'TaskStopped';
}

// It took more processor time than it may.
export class TaskTimeout extends TaskStopped {
  override name = 'TaskTimeout';
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`not done within ${limitMs / 1000} s`);
    this.limitMs = limitMs;
  }
}

// It needed more memory than a thread may have.
export class TaskOutOfMemory extends TaskStopped {
  override name = 'TaskOutOfMemory';
  readonly code = 'ERR_WORKER_OUT_OF_MEMORY';

  constructor(limitMb: number, cause?: Error) {
    super(`needs more than ${limitMb} MB of memory`, { cause });
  }
}

// It threw what no reader throws on purpose: nested deeper than the stack, larger than a value may be, or met a fault of the
// program that reads it.
export class TaskFailed extends TaskStopped {
  override name = 'TaskFailed';

  constructor(cause: Error) {
    const isDeep = cause instanceof RangeError && /call stack/.test(cause.message);
    super(isDeep ? 'is nested too deeply' : `cannot be worked out: ${cause.message.slice(0, 200)}`, { cause });
  }
}

// Thrown when too many tasks are waiting already.
export class TooManyTasks extends Error {
  override name = 'TooManyTasks';
}

export interface TaskQuestion {
  module: string;
  name: string;
  input: unknown;
}

// The module is loaded, so what follows is the work itself. The time is the processor time of the thread until then, in
// milliseconds.
export interface TaskStarted {
  startedAt: number;
}
