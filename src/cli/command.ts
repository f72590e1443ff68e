// A command is a declaration: name, arguments, flags, and its function. `src/main.ts` finds it, parses the flags and
// exits with its code; help, completion and `docs/cli.md` are made from the same declaration.
import type { ParseArgsOptionDescriptor } from 'node:util';

export type Environment = Record<string, string | undefined>;

export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  // Standard output is a terminal: tables and colours.
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  // Shows a text that is longer than the screen in the person's pager; false when there is none.
  page?(text: string, env: Environment): Promise<boolean>;
  // Asks the person at the terminal; absent when there is none.
  ask?(question: string, signal?: AbortSignal): Promise<string>;
  // Reads standard input to its end.
  readInput?(): Promise<string>;
  // Registers a handler for an interrupt instead of ending the process; returns the function that removes it.
  onInterrupt?(callback: () => void): () => void;
  // Opens a page in the person's browser.
  openBrowser?(url: string): void;
  // Tests replace the clock.
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

// The kinds of names that completion offers.
export type Completed = 'org' | 'source' | 'entity' | 'file';

export interface Flag extends ParseArgsOptionDescriptor {
  help: string;
  // The name of the value in the help.
  value?: string;
  // The allowed values.
  choices?: readonly string[];
  complete?: Completed;
}

export interface Argument {
  name: string;
  help: string;
  optional?: boolean;
  // The argument takes all remaining words.
  many?: boolean;
  choices?: readonly string[];
  complete?: Completed;
}

export type FlagValues = Record<string, string | boolean | readonly string[] | undefined>;

export interface Invocation {
  flags: FlagValues;
  positionals: string[];
  env: Environment;
  terminal: Terminal;
}

export interface Command {
  // Several words for a command of a group: `org list`.
  name: string;
  summary: string;
  // The command talks to a server over HTTP and does not use a local registry.
  isClient?: true;
  // The command is for programs only: not in help, documentation and completion.
  isHidden?: true;
  flags: Record<string, Flag>;
  arguments?: readonly Argument[];
  // The notation of the positionals, where it cannot be derived from `arguments`.
  positionals?: string;
  examples: readonly string[];
  // Returns the exit code.
  run(invocation: Invocation): Promise<number>;
}

// `incomplete`: a report for which a package registry could not be asked.
export const EXIT = { ok: 0, failure: 1, usage: 2, incomplete: 3, interrupted: 130 } as const;

// The command line is invalid.
export class UsageError extends Error {}

export interface FailureBody {
  code: string;
  type: string;
  message: string;
  details?: unknown;
}

// The command failed; the message says why and what to try. With --json the body is printed instead.
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

// The values of a flag that may be given more than once.
export function listFlag(flags: FlagValues, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? value : [];
}

// The value of a flag with fixed choices; other values were refused before the command ran.
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
