// A command is a description: name, arguments, flags, what it does. `src/main.ts` finds it, reads the flags and ends with
// its code; help, completion and `docs/cli.md` are made from the same description.
import type { ParseArgsOptionDescriptor } from 'node:util';

export type Environment = Record<string, string | undefined>;

export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  // A person reads standard output: tables and colors.
  isTTY?: boolean;
  columns?: number;
  // Asks the person at the keyboard; absent when nobody is there.
  ask?(question: string, signal?: AbortSignal): Promise<string>;
  // Standard input up to its end.
  readInput?(): Promise<string>;
  // Calls back at an interrupt instead of ending the process; gives back how to stop listening.
  onInterrupt?(callback: () => void): () => void;
  // Opens a page in the browser of the person at the keyboard.
  openBrowser?(url: string): void;
  // Another clock than that of the machine.
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

// Names that completion offers.
export type Completed = 'org' | 'source' | 'entity' | 'file';

export interface Flag extends ParseArgsOptionDescriptor {
  help: string;
  // How the value is called in the help.
  value?: string;
  // The only values that are taken.
  choices?: readonly string[];
  complete?: Completed;
}

export interface Argument {
  name: string;
  help: string;
  optional?: boolean;
  // Takes all that follow.
  many?: boolean;
  choices?: readonly string[];
  complete?: Completed;
}

export type FlagValues = Record<string, string | boolean | undefined>;

export interface Invocation {
  flags: FlagValues;
  positionals: string[];
  env: Environment;
  terminal: Terminal;
}

export interface Command {
  // Several words where commands form a group: `org list`.
  name: string;
  summary: string;
  // Talks to a server over HTTP, and reads nothing of this machine's registry.
  isClient?: true;
  // For programs alone: not in help, documentation and completion.
  isHidden?: true;
  flags: Record<string, Flag>;
  arguments?: readonly Argument[];
  // How positionals are written, where `arguments` does not say it.
  positionals?: string;
  examples: readonly string[];
  // The exit code.
  run(invocation: Invocation): Promise<number>;
}

export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;

// The command line itself is wrong.
export class UsageError extends Error {}

export interface FailureBody {
  code: string;
  type: string;
  message: string;
  details?: unknown;
}

// The command could not do its work; the message says why and what to try. With --json the body is printed instead.
export class CommandFailure extends Error {
  readonly body: FailureBody | undefined;

  constructor(message: string, { body, ...options }: ErrorOptions & { body?: FailureBody } = {}) {
    super(message, options);
    this.body = body;
  }
}

export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

// The value of a flag that takes only these; others were refused before the command ran.
export function choiceFlag<T extends string>(flags: FlagValues, name: string, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === flags[name]);
}

interface CountRange {
  most: number;
  least?: number;
}

export function countFlag(flags: FlagValues, name: string, { most, least = 1 }: CountRange): number | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}
