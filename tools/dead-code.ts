// The dead code check of `npm test`. Three rules:
// 1. An export is imported by another file. If only tests import it, its own file must use it as well: then it is the unit
//    under test of code that runs.
// 2. A file is named by another file or by a script of package.json.
// 3. A package is imported: one of `dependencies` or `optionalDependencies` by code that runs, one of `devDependencies` by
//    tests, tools or benches; and code that runs imports no other packages. A peer of another package counts as imported.
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { exportsOf, usedNamesOf } from './exports.ts';
import { withoutComments } from './imports.ts';
import type { Finding, Source } from './layers.ts';

interface Packages {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  // Packages without which the program still works.
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  // The peer dependencies of the packages above.
  peers?: readonly string[];
}

// Packages that are programs: they are run, not imported.
const PROGRAMS = ['@biomejs/biome', '@modelcontextprotocol/conformance', 'node', 'typescript'];

export function checkDeadCode(sources: readonly Source[], packages: Packages): Finding[] {
  return [...deadExports(sources), ...deadFiles(sources, packages), ...deadPackages(sources, packages)];
}

interface Users {
  running: Set<string> | 'all';
  testing: Set<string> | 'all';
}

function deadExports(sources: readonly Source[]): Finding[] {
  const users = new Map<string, Users>();
  for (const { path, text } of sources) {
    const side = isTest(path) ? 'testing' : 'running';
    for (const used of usedNamesOf(path, text)) {
      if (used.path === path) continue;
      const known = users.get(used.path) ?? { running: new Set(), testing: new Set() };
      users.set(used.path, known);
      const names = known[side];
      if (names === 'all') continue;
      if (used.names === null) known[side] = 'all';
      else for (const name of used.names) names.add(name);
    }
  }
  return sources.flatMap(({ path, text }) => {
    const { running, testing } = users.get(path) ?? { running: new Set(), testing: new Set() };
    const has = (names: Set<string> | 'all', name: string) => names === 'all' || names.has(name);
    return exportsOf(text).flatMap(({ name, line }) => {
      if (has(running, name) || isThreadTask(text, name)) return [];
      if (!has(testing, name)) return [{ path, line, reason: `nobody imports ${name}` }];
      if (isTest(path) || countWord(text, name) > 1) return [];
      return [{ path, line, reason: `only tests use ${name}` }];
    });
  });
}

// A thread finds the function in the exports of its module: `threadTask(import.meta.url, parseDocument)`, or
// `jsonReader`.
function isThreadTask(text: string, name: string): boolean {
  return ['threadTask', 'jsonReader'].some((declare) => text.includes(`${declare}(import.meta.url, ${name})`));
}

function countWord(text: string, word: string): number {
  return withoutComments(text)
    .split(/[^\w$]+/)
    .filter((one) => one === word).length;
}

function deadFiles(sources: readonly Source[], { scripts = {} }: Packages): Finding[] {
  const commands = Object.values(scripts).join('\n');
  const mentions = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const match of text.matchAll(/(?:[/'"`])(?<name>[\w.-]+?)(?:\.ts|\.js)?(?=['"`$\s])/g)) {
      const name = match.groups?.name ?? '';
      mentions.set(name, (mentions.get(name) ?? new Set()).add(path));
    }
  }
  return sources
    .filter(({ path }) => /(?<!\.test|\.d)\.ts$/.test(path) && !commands.includes(path))
    .filter(({ path }) => {
      const naming = mentions.get(basename(path, '.ts')) ?? new Set();
      return naming.size === 0 || (naming.size === 1 && naming.has(path));
    })
    .map(({ path }) => ({ path, line: 1, reason: 'nobody names this file' }));
}

function deadPackages(sources: readonly Source[], packages: Packages): Finding[] {
  const named = (inTests: boolean) => {
    const text = sources.filter(({ path }) => isTest(path) === inTests).map((source) => withoutComments(source.text));
    return new Set(
      text
        .flatMap((code) => [...code.matchAll(/['"](?<name>(?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]*)?['"]/g)])
        .map((match) => match.groups?.name ?? ''),
    );
  };
  const running = named(false);
  const testing = named(true);
  const finding = (reason: string) => ({ path: 'package.json', line: 1, reason });
  const developing = Object.keys(packages.devDependencies ?? {});
  return [
    ...Object.keys({ ...packages.dependencies, ...packages.optionalDependencies })
      .filter((name) => !running.has(name) && !packages.peers?.includes(name))
      .map((name) =>
        finding(testing.has(name) ? `only tests import ${name}: a devDependency` : `nobody imports ${name}`),
      ),
    ...developing
      .filter((name) => importedAtRunTime(sources, name))
      .map((name) => finding(`code that runs imports ${name}: a dependency`)),
    ...developing
      .filter((name) => !PROGRAMS.includes(name) && name !== '@types/node')
      .filter((name) => {
        const typed = name.replace(/^@types\//, '');
        return !testing.has(typed) && !running.has(typed);
      })
      .map((name) => finding(`nobody imports ${name}`)),
  ];
}

function importedAtRunTime(sources: readonly Source[], name: string): boolean {
  const form = new RegExp(`(?:from|import|import\\()\\s*['"]${name}(?:/[^'"]*)?['"]`);
  return sources.some(({ path, text }) => !isTest(path) && form.test(withoutComments(text)));
}

// Everything that the running service does not load.
function isTest(path: string): boolean {
  return !/^(?:src|bin)\//.test(path) || /\.(?:test|fixture)\.ts$|(?:^|\/)test-support\.ts$/.test(path);
}

function readPackages(): Packages {
  const packages = JSON.parse(readFileSync('package.json', 'utf8')) as Packages;
  const peers = Object.keys(packages.dependencies ?? {}).flatMap((name) => {
    const manifest = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    return Object.keys(manifest.peerDependencies ?? {}).filter(
      (peer) => !manifest.peerDependenciesMeta?.[peer]?.optional,
    );
  });
  return { ...packages, peers };
}

if (import.meta.main) {
  const paths = globSync('{src,test,tools,bench,bin}/**/*.{ts,mjs}').map((path) => path.replaceAll('\\', '/'));
  const sources = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const findings = checkDeadCode(sources, readPackages());
  for (const { path, line, reason } of findings) console.error(`${path}:${line}  ${reason}`);
  console.log(`dead code: ${paths.length} files, ${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
