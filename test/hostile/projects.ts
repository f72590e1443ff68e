// Project folders that strangers have prepared, made from a seed: a plain project, and one to four hostile kinds in it.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_KINDS } from './project-files.ts';
import { LINK_KINDS } from './project-links.ts';
import { TEXT_KINDS } from './project-texts.ts';
import { makeRepository, markingProgram, templateOf, writeProject } from './repositories.ts';

export interface Random {
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
}

export interface KindInput {
  folder: string;
  // A folder beside it that belongs to somebody else.
  outside: string;
  random: Random;
  trap: { file: string; command: string };
}

type Kind = (input: KindInput) => void;
export type Kinds = Readonly<Record<string, Kind>>;

interface HostileProject {
  kinds: readonly string[];
  // What a person would call.
  args: string[];
}

const KINDS: Kinds = { ...TEXT_KINDS, ...LINK_KINDS, ...FILE_KINDS };
export const HOSTILE_KINDS: readonly string[] = Object.keys(KINDS);
const LOCKED = { lamp: '1.0.0', brackets: '1.0.0', namespaces: '1.0.0', literals: '1.0.0' };

const WAYS = [[], ['--json'], ['--md'], ['--indirect', '--include', 'dev,optional'], ['--to', 'wanted']];
const PLAIN = plainProject({ below: () => 0, pick: ([first]) => first as never });

// Numbers that are the same for the same seed.
function seededRandom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  const below = (count: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % count;
  };
  return { below, pick: (list) => list[below(list.length)] as never };
}

// `place` is empty; the project is the folder `app` in it. `isPlain`: nothing beside the first kind.
export function makeHostileProject(
  place: string,
  seed: number,
  mark: string,
  { isPlain = false } = {},
): HostileProject {
  const random = seededRandom(seed);
  const folder = join(place, 'app');
  const outside = join(place, 'outside');
  for (const made of [folder, outside]) mkdirSync(made, { recursive: true });
  const trap = markingProgram(join(place, 'bin'), mark);
  const isRepository = random.below(3) === 0;
  const plain = plainProject(random);
  if (isRepository) {
    const made = templateOf('plain', (one) => makeRepository(one, PLAIN, { 'src/c.ts': 'export {};\n' }));
    cpSync(made, folder, { recursive: true });
  }
  writeProject(folder, plain);
  // Every kind comes first in its turn; the others are drawn.
  const first = HOSTILE_KINDS[seed % HOSTILE_KINDS.length] ?? '';
  const others = Array.from({ length: random.below(4) }, () => random.pick(HOSTILE_KINDS));
  const kinds = [...new Set([first, ...(isPlain ? [] : others)])];
  for (const name of kinds) attempt(() => KINDS[name]?.({ folder, outside, random, trap }));
  // Git that made it may have fallen into a trap.
  rmSync(mark, { force: true });
  const way = random.below(20) === 0 ? ['--prove'] : random.pick(WAYS);
  const base = isRepository && random.below(2) === 0 ? ['--base', random.pick(['origin/main', 'HEAD~1', 'HEAD'])] : [];
  return { kinds, args: ['check', '--folder', folder, ...base, ...way] };
}

// What one kind has made may be in the way of the next.
function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && ('code' in error || 'status' in error))) throw error;
  }
}

function plainProject(random: Random): Record<string, string | object> {
  const names = Object.entries(LOCKED).filter(([name]) => name === 'lamp' || random.below(12) === 0);
  const dependencies = Object.fromEntries(names.map(([name, version]) => [name, `^${version}`]));
  const packages = Object.fromEntries(names.map(([name, version]) => [`node_modules/${name}`, { version }]));
  return {
    'package.json': { name: 'house', dependencies },
    'package-lock.json': { lockfileVersion: 3, packages: { '': { dependencies }, ...packages } },
    'src/a.ts': "import { off } from 'lamp';\noff();\n",
    'tsconfig.json': { compilerOptions: { strict: true } },
  };
}
