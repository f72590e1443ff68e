import type { Command } from './command.ts';

export function overviewHelp(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: registry <command> [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'registry help <command> tells the options of a command; --version the version of this program.',
    'Server commands are configured by the environment (REGISTRY_PORT, …); registry help config lists all variables.',
  ];
}

export function commandHelp(command: Command): string[] {
  const flags = Object.entries(command.flags).map(([name, flag]) => ({
    left: `--${name}${flag.type === 'string' ? ` <${flag.value ?? 'value'}>` : ''}`,
    help: flag.help,
  }));
  const width = Math.max(0, ...flags.map(({ left }) => left.length));
  const usage = ['registry', command.name, command.positionals, flags.length > 0 ? '[options]' : undefined];
  return [
    `${command.summary}.`,
    '',
    `Usage: ${usage.filter(Boolean).join(' ')}`,
    ...(flags.length > 0 ? ['', ...flags.map(({ left, help }) => `  ${left.padEnd(width)}  ${help}`)] : []),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ];
}

// The name that a mistyped one is most likely to mean; null when none is near.
export function nearest(typed: string, names: readonly string[]): string | null {
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(typed) ? 1 : editDistance(typed, name) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(typed.length / 2)) ? best.name : null;
}

// Letters inserted, left out, replaced, or two neighbours swapped: the slips of typing.
function editDistance(a: string, b: string): number {
  const table = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    table.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : replaced;
      table[i]?.push(Math.min(replaced, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
