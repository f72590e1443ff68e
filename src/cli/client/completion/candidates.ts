// The words that can stand at the cursor, from the command declarations.
import type { Argument, Command, Completed, Flag } from '../../command.ts';
import { nextWords } from '../../find-command.ts';

interface Candidates {
  // All candidates, not yet filtered by the typed prefix.
  words: readonly string[];
  // The kind of names that the server has to supply, if any.
  names: Completed | null;
}

const NOTHING: Candidates = { words: [], names: null };
const MOST_WORDS = 3;

// `typed` are the words before the one at the cursor, `partial` is the typed part of that word.
export function candidatesFor(
  commands: readonly Command[],
  { typed, partial }: { typed: readonly string[]; partial: string },
): Candidates {
  const leading = typed.findIndex((word) => word.startsWith('-'));
  const words = typed.slice(0, Math.min(leading < 0 ? typed.length : leading, MOST_WORDS));
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const command = commands.find((one) => one.name === name);
    if (command) return ofCommand({ commands, command, rest: typed.slice(count), partial });
  }
  if (words[0] === 'help') return { words: nextWords(commands, words.slice(1).join(' ')), names: null };
  if (leading >= 0) return NOTHING;
  const next = nextWords(commands, words.join(' '));
  return { words: words.length === 0 ? [...next, 'help'] : next, names: null };
}

interface Position {
  commands: readonly Command[];
  command: Command;
  // The words after the name of the command.
  rest: readonly string[];
  partial: string;
}

function ofCommand({ commands, command, rest, partial }: Position): Candidates {
  const pending = flagAwaitingValue(command, rest.at(-1));
  if (pending) return ofValue(pending);
  if (partial.startsWith('-')) return { words: flagsLeft(command, rest), names: null };
  const index = positionalCount(command, rest);
  const { words, names } = ofValue(argumentAt(command, index));
  // A command can also be the first word of others: `feed` and `feed url`.
  const next = index === 0 && rest.length === 0 ? nextWords(commands, command.name) : [];
  return { words: [...next, ...words], names };
}

function ofValue(value: Flag | Argument | undefined): Candidates {
  return { words: value?.choices ?? [], names: value?.complete ?? null };
}

function flagAwaitingValue(command: Command, word: string | undefined): Flag | undefined {
  if (word === undefined || !word.startsWith('-') || word.includes('=')) return undefined;
  const flag = flagOf(command, word);
  return flag?.type === 'string' ? flag : undefined;
}

function flagOf({ flags }: Command, word: string): Flag | undefined {
  if (word.startsWith('--')) return flags[word.slice(2)];
  return Object.values(flags).find(({ short }) => short !== undefined && word === `-${short}`);
}

function flagsLeft({ flags }: Command, rest: readonly string[]): string[] {
  const all = [...Object.keys(flags), 'help'].map((name) => `--${name}`);
  return all.filter((name) => !rest.some((word) => word === name || word.startsWith(`${name}=`)));
}

function positionalCount(command: Command, rest: readonly string[]): number {
  return rest.filter((word, index) => {
    if (word.startsWith('-')) return false;
    return flagAwaitingValue(command, rest[index - 1]) === undefined;
  }).length;
}

function argumentAt({ arguments: args = [] }: Command, index: number): Argument | undefined {
  return args[index] ?? (args.at(-1)?.many ? args.at(-1) : undefined);
}
