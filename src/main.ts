// The `registry` command: finds the command, parses its flags, and exits with its code.
import { parseArgs } from 'node:util';
import { printableJson } from './cli/client/printable.ts';
import {
  type Command,
  CommandFailure,
  type Environment,
  EXIT,
  type FailureBody,
  type Flag,
  type FlagValues,
  type Terminal,
  UsageError,
} from './cli/command.ts';
import { reasonOf } from './cli/database-name.ts';
import { commandFirst, findCommand } from './cli/find-command.ts';
import { commandHelp, groupHelp, overviewHelp } from './cli/help.ts';
import { SERVER_COMMANDS } from './cli/server-commands.ts';
import { processTerminal } from './cli/terminal.ts';
import { ConfigError } from './config/error.ts';
import { readVersion } from './version.ts';

interface Call {
  args: string[];
  env: Environment;
}

export async function main(call: Call): Promise<void> {
  process.stdout.on('error', endQuietlyOnClosedPipe);
  // The reader of the output is gone, so there is nobody to report the error to.
  process.stderr.on('error', () => {});
  process.exitCode = await runCommand(call, processTerminal());
  // An open channel to the parent would keep a finished process alive.
  if (process.connected) process.disconnect?.();
}

export function runCommand(call: Call, terminal: Terminal): Promise<number> {
  const json = call.args.includes('--json');
  return dispatch(call, terminal).catch((error) => reportFailure({ error, json }, terminal));
}

async function dispatch({ args: given, env }: Call, terminal: Terminal): Promise<number> {
  const args = commandFirst(given);
  const [name = 'help', ...topic] = args;
  if (name === '--version' || name === '-v') return printLines(terminal, [readVersion()]);
  if (name === 'help' || name === '--help' || name === '-h') return printLines(terminal, await helpOn(topic));
  const found = findCommand(await commandsFor(name), args);
  if ('group' in found) return printLines(terminal, groupHelp(found.group, found.members));
  const { flags, positionals } = readFlags(found.command, found.rest);
  if (flags.help) return printLines(terminal, commandHelp(found.command));
  return found.command.run({ flags, positionals, env, terminal });
}

// A server starts without loading the commands that talk to one.
async function commandsFor(name: string): Promise<readonly Command[]> {
  return SERVER_COMMANDS.some((command) => command.name === name) ? SERVER_COMMANDS : allCommands();
}

const allCommands = async () => (await import('./cli/commands.ts')).COMMANDS;

async function helpOn(topic: readonly string[]): Promise<string[]> {
  if (topic[0] === 'config') return (await import('./config/settings.ts')).configurationHelp();
  const commands = await allCommands();
  if (topic.length === 0) return overviewHelp(commands);
  const found = findCommand(commands, [...topic, '--help']);
  return 'group' in found ? groupHelp(found.group, found.members) : commandHelp(found.command);
}

function printLines(terminal: Terminal, lines: readonly string[]): number {
  for (const line of lines) terminal.out(line);
  return EXIT.ok;
}

function readFlags(command: Command, args: string[]): { flags: FlagValues; positionals: string[] } {
  const help = { type: 'boolean', short: 'h' } as const;
  const allowPositionals = command.positionals !== undefined || command.arguments !== undefined;
  try {
    const parsed = parseArgs({ args, options: { ...command.flags, help }, allowPositionals });
    const flags = parsed.values as FlagValues;
    for (const [name, flag] of Object.entries(command.flags)) checkChoice(name, flag, flags[name]);
    return { flags, positionals: parsed.positionals };
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split('.')[0]}; \`registry help ${command.name}\` lists the options`,
    );
  }
}

function checkChoice(name: string, { choices }: Flag, value: FlagValues[string]): void {
  if (choices === undefined || value === undefined || choices.includes(String(value))) return;
  throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${value}"`);
}

// One line: what failed, why, what to try. An invalid configuration is reported in full; with --json everything is one
// error envelope.
function reportFailure({ error, json }: { error: unknown; json: boolean }, terminal: Terminal): number {
  const isUsage = error instanceof UsageError || error instanceof ConfigError;
  const known = isUsage || error instanceof CommandFailure;
  const message = known ? error.message : reasonOf(error);
  if (json) terminal.err(printableJson({ error: bodyOf(error, message) }));
  else terminal.err(error instanceof ConfigError ? message : `registry: ${message}`);
  return isUsage ? EXIT.usage : EXIT.failure;
}

function bodyOf(error: unknown, message: string): FailureBody {
  if (error instanceof CommandFailure && error.body) return error.body;
  if (error instanceof UsageError) return { code: 'usage', type: 'validation', message };
  if (error instanceof ConfigError) return { code: 'configuration', type: 'validation', message };
  return { code: 'failed', type: 'internal', message };
}

function endQuietlyOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  // A full disk below a redirected output is no reason to end a service.
}
