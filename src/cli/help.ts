// Help texts, made from the command declarations.
import { editDistance } from '../domain/edit-distance.ts';
import type { Argument, Command } from './command.ts';

export function overviewHelp(commands: readonly Command[]): string[] {
  const shown = commands.filter(({ isHidden }) => !isHidden);
  const server = rowsOf(shown.filter(({ isClient }) => !isClient));
  const client = rowsOf(shown.filter(({ isClient }) => isClient));
  const width = Math.max(...[...server, ...client].map(([name]) => name.length));
  const lines = (rows: HelpRow[]) => rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: registry <command> [options]',
    '',
    'On a server:',
    ...lines(server),
    '',
    'For a running server (--server, else REGISTRY_API_URL, else the last login, else http://localhost:8080):',
    ...lines(client),
    '',
    'registry help <command> tells the options of a command; --version the version of this program.',
    'Server commands are configured by the environment (REGISTRY_PORT, …); registry help config lists all variables.',
  ];
}

type HelpRow = [name: string, summary: string];

// One line per command, and one per group of commands.
function rowsOf(commands: readonly Command[]): HelpRow[] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  return firsts.map((first) => {
    const alone = commands.find(({ name }) => name === first);
    const members = commands
      .filter(({ name }) => name.startsWith(`${first} `))
      .map(({ name }) => name.slice(first.length + 1).split(' ')[0] ?? '');
    return [first, alone?.summary ?? [...new Set(members)].join(', ')];
  });
}

export function groupHelp(group: string, members: readonly Command[]): string[] {
  const width = Math.max(...members.map(({ name }) => name.length));
  return [
    `Usage: registry ${group} <command> [options]`,
    '',
    ...members.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'registry help <command> tells the options of each.',
  ];
}

export function commandHelp(command: Command): string[] {
  const { flags, positionals } = describedParts(command);
  return [
    `${command.summary}.`,
    '',
    `Usage: ${usageOf(command)}`,
    ...section(positionals),
    ...section(flags),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ];
}

function section(rows: readonly HelpRow[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.length > 0 ? ['', ...rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`)] : [];
}

export function usageOf(command: Command): string {
  const positionals = command.positionals ?? command.arguments?.map(argumentUsage).join(' ');
  const options = Object.keys(command.flags).length > 0 ? '[options]' : undefined;
  return ['registry', command.name, positionals, options].filter(Boolean).join(' ');
}

// The arguments and flags of a command, each with its notation and its description.
export function describedParts(command: Command): { positionals: HelpRow[]; flags: HelpRow[] } {
  return {
    positionals: (command.arguments ?? []).map((one) => [argumentUsage(one), one.help]),
    flags: Object.entries(command.flags).map(([name, flag]) => {
      const short = flag.short === undefined ? '' : `-${flag.short}, `;
      const value = flag.choices?.join('|') ?? flag.value ?? 'value';
      return [`${short}--${name}${flag.type === 'string' ? ` <${value}>` : ''}`, flag.help];
    }),
  };
}

function argumentUsage({ name, optional, many }: Argument): string {
  const text = many ? `${name} …` : name;
  return optional ? `[${text}]` : `<${text}>`;
}

// The most similar known name; null when none is similar enough.
export function nearest(typed: string, names: readonly string[]): string | null {
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(typed) ? 1 : editDistance(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(typed.length / 2)) ? best.name : null;
}
