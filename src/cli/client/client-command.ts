// The declaration of a client command, and the session that its `run` gets.
import {
  type Argument,
  type Command,
  type Environment,
  EXIT,
  type Flag,
  type FlagValues,
  type Invocation,
  type Terminal,
  UsageError,
} from '../command.ts';
import { usageOf } from '../help.ts';
import { type Api, createApi, waitFor } from './api.ts';
import { createPalette } from './color.ts';
import { COMMON_FLAGS } from './common-flags.ts';
import { type ConfigFiles, openConfigFiles } from './config-files.ts';
import { type Connection, chooseConnection } from './connection.ts';
import { createOutput, type Output } from './output.ts';
import { PAGING_FLAGS } from './paging.ts';
import { displayWidth } from './table.ts';

export interface Session {
  // The arguments by name; absent ones are undefined.
  args: Record<string, string | undefined>;
  // The values of an argument that takes several.
  list: readonly string[];
  flags: FlagValues;
  env: Environment;
  terminal: Terminal;
  output: Output;
  files: ConfigFiles;
  // Both are created on first use, so that a command can do without a server.
  connection: Connection;
  api: Api;
  // The same server with another credential, or without one.
  apiWith(credential: string | undefined): Api;
  // Aborted at an interrupt.
  signal: AbortSignal;
  wait(ms: number): Promise<void>;
}

interface ClientDeclaration {
  name: string;
  summary: string;
  isHidden?: true;
  arguments?: readonly Argument[];
  // The notation of the positionals in the help, where there are alternatives.
  positionals?: string;
  flags?: Record<string, Flag>;
  // Adds --limit, --cursor and --all.
  isPaged?: boolean;
  // Adds --md.
  hasMarkdown?: boolean;
  // Adds --yes.
  confirms?: boolean;
  examples: readonly string[];
  run(session: Session): Promise<number>;
}

const MARKDOWN_FLAG = { md: { type: 'boolean', help: 'answer as markdown' } } satisfies Record<string, Flag>;
const YES_FLAG = { yes: { type: 'boolean', help: 'do it without asking' } } satisfies Record<string, Flag>;

export function clientCommand(declaration: ClientDeclaration): Command {
  const { name, summary, arguments: args = [], examples, isPaged, hasMarkdown, confirms } = declaration;
  const command: Command = {
    name,
    summary,
    isClient: true,
    ...(declaration.isHidden ? { isHidden: true } : {}),
    arguments: args,
    ...(declaration.positionals === undefined ? {} : { positionals: declaration.positionals }),
    flags: {
      ...declaration.flags,
      ...(isPaged ? PAGING_FLAGS : {}),
      ...(hasMarkdown ? MARKDOWN_FLAG : {}),
      ...(confirms ? YES_FLAG : {}),
      ...COMMON_FLAGS,
    },
    examples,
    run: (invocation) => {
      const given = readArguments(command, invocation.positionals);
      if (invocation.flags.json && invocation.flags.md) throw new UsageError('--json and --md exclude each other');
      const { terminal } = invocation;
      const run = (shown: Terminal) =>
        interruptible(shown, (signal) =>
          declaration.run(createSession({ ...invocation, ...given, terminal: shown, signal })),
        );
      return isPaged || hasMarkdown ? withPager(invocation, run) : run(terminal);
    },
  };
  return command;
}

// An interrupted command exits with the code of an interrupt, whatever its work returns.
async function interruptible(terminal: Terminal, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const release = terminal.onInterrupt?.(() => stop.abort());
  try {
    const code = await work(stop.signal);
    return stop.signal.aborted ? EXIT.interrupted : code;
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    release?.();
  }
}

function readArguments(command: Command, positionals: readonly string[]): Pick<Session, 'args' | 'list'> {
  const declared = command.arguments ?? [];
  const needed = declared.filter(({ optional }) => !optional).length;
  const takesMany = declared.at(-1)?.many === true;
  if (positionals.length < needed || (!takesMany && positionals.length > declared.length)) {
    throw new UsageError(`use \`${usageOf(command)}\`; \`registry help ${command.name}\` tells more`);
  }
  for (const [index, { name, choices }] of declared.entries()) {
    const value = positionals[index];
    if (value !== undefined && choices && !choices.includes(value)) {
      throw new UsageError(`${name} must be one of ${choices.join(', ')}, not "${value}"`);
    }
  }
  const args = Object.fromEntries(declared.map(({ name }, index) => [name, positionals[index]]));
  return { args, list: takesMany ? positionals.slice(declared.length - 1) : [] };
}

type SessionInput = Invocation & Pick<Session, 'args' | 'list' | 'signal'>;

function createSession({ args, list, flags, env, terminal, signal }: SessionInput): Session {
  const files = openConfigFiles(env);
  const wait = terminal.wait ?? waitFor;
  const palette = createPalette({ env, isTTY: terminal.isTTY === true, refused: flags['no-color'] === true });
  let connection: Connection | null = null;
  let api: Api | null = null;
  return {
    args,
    list,
    flags,
    env,
    terminal,
    signal,
    files,
    output: createOutput({ terminal, flags, palette }),
    wait: (ms) => wait(ms, signal),
    get connection() {
      connection ??= chooseConnection({ env, flags, files });
      return connection;
    },
    get api() {
      api ??= this.apiWith(this.connection.credential);
      return api;
    },
    apiWith(credential) {
      const trace = flags.verbose ? (line: string) => terminal.err(line) : undefined;
      return createApi({ server: this.connection.server, credential, signal, trace, wait });
    },
  };
}

// True when the person agrees or gave --yes. Without a terminal and without --yes it throws.
export async function confirmed({ flags, terminal, signal }: Session, question: string): Promise<boolean> {
  if (flags.yes) return true;
  if (!terminal.ask) throw new UsageError('there is nobody to ask; add --yes');
  if (/^y(es)?$/i.test((await terminal.ask(`${question} [y/N] `, signal)).trim())) return true;
  terminal.err('registry: nothing was done');
  return false;
}

// Collects what a command prints, so that an answer longer than the screen is shown in the pager.

// Endless and machine-readable answers are printed as they come.
function isCollected({ isTTY, page, rows }: Terminal, flags: FlagValues): boolean {
  return isTTY === true && page !== undefined && rows !== undefined && !flags.json && !flags.follow && !flags.all;
}

export async function withPager<T>(
  { terminal, flags, env }: Pick<Invocation, 'terminal' | 'flags' | 'env'>,
  work: (terminal: Terminal) => Promise<T>,
): Promise<T> {
  if (!isCollected(terminal, flags)) return work(terminal);
  const printed: string[] = [];
  // What is for the reader follows behind the answer.
  const notes: string[] = [];
  const collecting = {
    ...terminal,
    out: (line: string) => void printed.push(line),
    err: (line: string) => void notes.push(line),
  };
  try {
    return await work(collecting);
  } finally {
    const text = printed.join('\n');
    const isLong = screenLines(text, terminal.columns ?? 80) >= (terminal.rows ?? 0);
    const isShown = printed.length > 0 && isLong && (await terminal.page?.(text, env));
    if (!isShown) for (const line of printed) terminal.out(line);
    for (const line of notes) terminal.err(line);
  }
}

function screenLines(text: string, columns: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
}
