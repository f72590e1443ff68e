// Finds the command that a command line names. The longest name wins: `feed url` is not `feed` with an argument.
import { COMMON_FLAGS } from './client/common-flags.ts';
import { type Command, UsageError } from './command.ts';
import { nearest } from './help.ts';

interface NamedCommand {
  command: Command;
  // The words after the name.
  rest: string[];
}

interface NamedGroup {
  group: string;
  members: Command[];
}

const MAX_WORDS = 3;

export function findCommand(commands: readonly Command[], args: readonly string[]): NamedCommand | NamedGroup {
  const words = leadingWords(args);
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const command = commands.find((one) => one.name === name);
    if (command) return { command, rest: args.slice(count) };
    const members = commands.filter((one) => one.name.startsWith(`${name} `));
    if (members.length > 0) return groupOf({ group: name, members }, args.slice(count));
  }
  throw unknown(words[0] ?? '', nextWords(commands, ''), '');
}

// A group alone is not a command, but help on it is.
function groupOf(found: NamedGroup, rest: readonly string[]): NamedGroup {
  const [typed] = rest;
  const choices = nextWords(found.members, found.group);
  if (typed === undefined) {
    throw new UsageError(`\`registry ${found.group}\` needs one of ${choices.join(', ')}`);
  }
  if (typed === '--help' || typed === '-h') return found;
  throw unknown(typed, choices, found.group);
}

function unknown(typed: string, choices: readonly string[], group: string): UsageError {
  const prefix = group === '' ? '' : `${group} `;
  const suggestion = nearest(typed, choices);
  const all = group === '' ? '`registry help` lists all commands' : `it has ${choices.join(', ')}`;
  const advice = suggestion ? `did you mean \`registry ${prefix}${suggestion}\`?` : all;
  const where = group === '' ? '' : ` in \`registry ${group}\``;
  return new UsageError(`there is no command "${typed}"${where}; ${advice}`);
}

// The words that can follow a group's name; all first words for the empty name.
export function nextWords(commands: readonly Command[], group: string): string[] {
  const start = group === '' ? 0 : group.length + 1;
  const words = commands
    .filter(({ name, isHidden }) => !isHidden && (group === '' || name.startsWith(`${group} `)))
    .map(({ name }) => name.slice(start).split(' ')[0] ?? '');
  return [...new Set(words)];
}

// `registry --server URL latest`: flags that every client command takes may stand before its name; they are moved behind it.
export function commandFirst(args: readonly string[]): string[] {
  let at = 0;
  while (args[at]?.startsWith('--')) {
    const [name = '', value] = args[at]?.slice(2).split('=', 2) ?? [];
    const flag = Object.hasOwn(COMMON_FLAGS, name) ? COMMON_FLAGS[name as keyof typeof COMMON_FLAGS] : undefined;
    if (flag === undefined) return [...args];
    at += flag.type === 'string' && value === undefined ? 2 : 1;
  }
  if (at >= args.length) return [...args];
  const [flags, rest] = [args.slice(0, at), args.slice(at)];
  const end = rest.indexOf('--');
  return end < 0 ? [...rest, ...flags] : [...rest.slice(0, end), ...flags, ...rest.slice(end)];
}

function leadingWords(args: readonly string[]): string[] {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return args.slice(0, Math.min(end < 0 ? args.length : end, MAX_WORDS));
}
