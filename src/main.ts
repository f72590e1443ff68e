// The `registry` command: finds the command, reads its flags, ends with its exit code.
import { parseArgs } from 'node:util';
import {
  type Command,
  CommandFailure,
  type Environment,
  EXIT,
  type FlagValues,
  type Terminal,
  UsageError,
} from './cli/command.ts';
import { COMMANDS } from './cli/commands.ts';
import { reasonOf } from './cli/database-name.ts';
import { commandHelp, nearest, overviewHelp } from './cli/help.ts';
import { readVersion } from './cli/version.ts';
import { ConfigError } from './config.ts';

interface Call {
  args: string[];
  env: Environment;
}

export async function main(call: Call): Promise<void> {
  process.stdout.on('error', endQuietlyOnClosedPipe);
  const terminal: Terminal = {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
  };
  process.exitCode = await runCommand(call, terminal);
  // The channel to a parent would keep a finished process alive.
  if (process.connected) process.disconnect?.();
}

export function runCommand(call: Call, terminal: Terminal): Promise<number> {
  return dispatch(call, terminal).catch((error) => tellFailure(error, terminal));
}

async function dispatch({ args, env }: Call, terminal: Terminal): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (name === '--version' || name === '-v') return tell(terminal, [readVersion()]);
  if (name === 'help' || name === '--help' || name === '-h') {
    return tell(terminal, await helpOn(rest[0]));
  }
  const command = findCommand(name);
  const { flags, positionals } = readFlags(command, rest);
  if (flags.help) return tell(terminal, commandHelp(command));
  return command.run({ flags, positionals, env, terminal });
}

async function helpOn(topic: string | undefined): Promise<string[]> {
  if (topic === undefined) return overviewHelp(COMMANDS);
  if (topic === 'config') return (await import('./config/document.ts')).configurationHelp();
  return commandHelp(findCommand(topic));
}

function tell(terminal: Terminal, lines: readonly string[]): number {
  for (const line of lines) terminal.out(line);
  return EXIT.ok;
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((one) => one.name === name);
  if (command) return command;
  const meant = nearest(
    name,
    COMMANDS.map((one) => one.name),
  );
  const advice = meant ? `did you mean \`registry ${meant}\`?` : '`registry help` lists all commands';
  throw new UsageError(`there is no command "${name}"; ${advice}`);
}

function readFlags(command: Command, args: string[]): { flags: FlagValues; positionals: string[] } {
  const help = { type: 'boolean', short: 'h' } as const;
  try {
    const options = { ...command.flags, help };
    const parsed = parseArgs({ args, options, allowPositionals: command.positionals !== undefined });
    return { flags: parsed.values as FlagValues, positionals: parsed.positionals };
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split('.')[0]}; \`registry help ${command.name}\` lists the options`,
    );
  }
}

// One line: what failed, why, what to try. A wrong configuration is told in full.
function tellFailure(error: unknown, terminal: Terminal): number {
  const known = error instanceof UsageError || error instanceof ConfigError || error instanceof CommandFailure;
  terminal.err(error instanceof ConfigError ? error.message : `registry: ${known ? error.message : reasonOf(error)}`);
  return error instanceof UsageError || error instanceof ConfigError ? EXIT.usage : EXIT.failure;
}

function endQuietlyOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  // A full disk below a redirected output is no reason to end a service.
}
