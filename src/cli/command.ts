// A command is a description: name, flags, what it does. `src/main.ts` finds it, reads the flags and ends with its code.
import type { ParseArgsOptionDescriptor } from 'node:util';

export type Environment = Record<string, string | undefined>;

export interface Terminal {
  out(line: string): void;
  err(line: string): void;
}

export interface Flag extends ParseArgsOptionDescriptor {
  help: string;
  // How the value is called in the help.
  value?: string;
}

export type FlagValues = Record<string, string | boolean | undefined>;

export interface Invocation {
  flags: FlagValues;
  positionals: string[];
  env: Environment;
  terminal: Terminal;
}

export interface Command {
  name: string;
  summary: string;
  flags: Record<string, Flag>;
  positionals?: string;
  examples: readonly string[];
  // The exit code.
  run(invocation: Invocation): Promise<number>;
}

export const EXIT = { ok: 0, failure: 1, usage: 2, interrupted: 130 } as const;

// The command line itself is wrong.
export class UsageError extends Error {}

// The command could not do its work; the message says why and what to try.
export class CommandFailure extends Error {}

export function textFlag(flags: FlagValues, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

export function countFlag(flags: FlagValues, name: string, most: number): number | undefined {
  const text = textFlag(flags, name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count;
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}, not "${text}"`);
}
