// Which test files say something of changed files: those that load them, the nearest first. Almost everything is loaded by a
// test of the whole service, so what is far away is left to the whole run.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { importsOf, withoutComments } from './imports.ts';

// The files that each file loads when it runs.
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

interface ChosenTests {
  chosen: string[];
  // How many more test files reach the changed ones from further away.
  left: number;
}

const SOURCES = ['src/**/*.ts', 'test/**/*.ts', 'tools/**/*.ts', 'bench/**/*.ts'];
// Threads, assets and documents are not imported but named.
const NAMED = /\bnew URL\(\s*['"](\.{1,2}\/[^'"]+)['"]/g;

export function readImportGraph(): ImportGraph {
  return new Map(globSync(SOURCES).map((file) => [file, filesLoadedBy(file, readFileSync(file, 'utf8'))]));
}

export function filesLoadedBy(file: string, source: string): string[] {
  const imported = importsOf(source).flatMap(({ path, isType }) => (isType || !path.startsWith('.') ? [] : path));
  const named = [...withoutComments(source).matchAll(NAMED)].map((match) => match[1] ?? '');
  return [...imported, ...named].map((path) => posix.join(posix.dirname(file), path));
}

// What differs from the main branch, the work that is not committed included.
function listChangedFiles(): string[] {
  const base = gitLines('merge-base', 'HEAD', 'main')[0] ?? gitLines('merge-base', 'HEAD', 'origin/main')[0] ?? 'HEAD';
  const changed = gitLines('diff', '--name-only', '--no-renames', base);
  return [...new Set([...changed, ...gitLines('ls-files', '--others', '--exclude-standard')])].sort();
}

function gitLines(...args: string[]): string[] {
  try {
    const printed = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return printed.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

// Seconds of processor time per file, as measured over a run on one engine.
const KINDS: [kind: RegExp, seconds: number][] = [
  [/^src\/(?:contract|domain)\//, 0.1],
  [/^(?:src|tools)\//, 0.5],
  [/^/, 1.5],
];
// These start another database, or measure how work grows.
const COSTLY = /postgres|pgvector|pooler|growth/;
const COSTLY_SECONDS = 15;
const MOST_SECONDS = 20;

// From near to far, of those at the same distance the ones that are named alike first, and a changed test in any case. Rules run
// first, then what is beside other code, then the service.
export function testsReaching(graph: ImportGraph, changed: readonly string[], most = MOST_SECONDS): ChosenTests {
  const distances = distancesTo(graph, changed);
  const tests = [...distances].filter(([file]) => file.endsWith('.test.ts') && graph.has(file));
  const words = new Set(changed.flatMap(wordsOf));
  const strangeness = (file: string) => -wordsOf(file).filter((word) => words.has(word)).length;
  const ordered = tests.sort(
    ([a, near], [b, far]) => near - far || kindOf(a) - kindOf(b) || strangeness(a) - strangeness(b) || (a < b ? -1 : 1),
  );
  let seconds = 0;
  const chosen = ordered.filter(([file, distance]) => {
    const isChosen = distance === 0 || seconds + costOf(file) <= most;
    if (isChosen) seconds += costOf(file);
    return isChosen;
  });
  const files = chosen.map(([file]) => file).sort((a, b) => kindOf(a) - kindOf(b));
  return { chosen: files, left: tests.length - files.length };
}

const wordsOf = (file: string) => file.replace(/^\w+\/|\.\w+$/g, '').split(/[^a-z]+/i);

const kindOf = (file: string) => KINDS.findIndex(([kind]) => kind.test(file));

const costOf = (file: string) => (COSTLY.test(file) ? COSTLY_SECONDS : (KINDS[kindOf(file)]?.[1] ?? 0));

function distancesTo(graph: ImportGraph, changed: readonly string[]): Map<string, number> {
  const loadedBy = new Map<string, string[]>();
  for (const [file, loads] of graph)
    for (const other of loads) loadedBy.set(other, [...(loadedBy.get(other) ?? []), file]);
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map visits what is added while it is walked.
  for (const [file, distance] of distances) {
    for (const user of loadedBy.get(file) ?? []) if (!distances.has(user)) distances.set(user, distance + 1);
  }
  return distances;
}

// What the words of a call ask for.

export const CHANGED = 'changed';

export function isFile(word: string): boolean {
  return /\.\w+$/.test(word) && existsSync(word);
}

export interface Picked {
  files: readonly string[];
  env: NodeJS.ProcessEnv;
}

export function pickTests(words: readonly string[]): Picked {
  const named = words.filter(isFile).map((word) => relative('.', word));
  const isOfChange = words.includes(CHANGED);
  const changed = [...named, ...(isOfChange ? listChangedFiles() : [])];
  if (named.length === 0 && !isOfChange) return { files: [], env: {} };
  const graph = readImportGraph();
  const { chosen, left } = testsReaching(graph, changed);
  const unheld = changed.filter((file) => testsReaching(graph, [file], Number.POSITIVE_INFINITY).chosen.length === 0);
  if (unheld.length > 0) console.log(`loaded by no test: ${unheld.join(', ')}`);
  console.log(`files of tests: ${chosen.length}${left > 0 ? `; ${left} more reach the change from further away` : ''}`);
  const engine = process.env.REGISTRY_TEST_ENGINE ?? 'sqlite';
  return { files: chosen, env: isOfChange ? { REGISTRY_TEST_ENGINE: engine } : {} };
}
