// The layer check of `npm test`: which folder may import which, no cycles between folders, and rules that restrict
// the environment, the choice of an engine and that of a package ecosystem to one place each.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf, lineOf, withoutComments } from './imports.ts';
import { findKnots, KNOWN_KNOTS, knotFaults, reachedFrom } from './knots.ts';
import {
  isFrame,
  isKnown,
  isOfService,
  kernelRefusal,
  partRefusal,
  refusal,
  runsWithoutService,
} from './layer-plan.ts';

export interface Source {
  // The path from the root of the repository, with forward slashes.
  path: string;
  text: string;
}

export interface Finding {
  path: string;
  line: number;
  reason: string;
}

export function checkLayers(sources: readonly Source[]): Finding[] {
  const inScope = sources.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'));
  const edges = inScope.flatMap(edgesOf);
  const unknown = inScope
    .filter(({ path }) => !isKnown(folderOf(path)))
    .map(({ path }) => ({ path, line: 1, reason: `src/${folderOf(path)} is on no layer` }));
  const refused = edges.flatMap((edge) => {
    const reason = isKnown(edge.from) && isKnown(edge.to) ? refusalOf(edge) : null;
    return reason ? [{ path: edge.path, line: edge.line, reason }] : [];
  });
  return [...unknown, ...refused, ...circles(edges), ...serviceReached(edges), ...inScope.flatMap(checkText)];
}

function refusalOf({ from, to, parts, part, path }: Edge): string | null {
  const between = from === to ? partRefusal(from, parts.from, parts.to) : refusal(from, to);
  return between ?? kernelRefusal(subfolderOf(path), part);
}

interface Edge {
  from: string;
  to: string;
  // The parts of both folders, and that of `to` with its first subfolder.
  parts: { from: string; to: string };
  part: string;
  path: string;
  target: string;
  line: number;
}

function folderOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

// `http/kernel` for `src/http/kernel/route.ts`, `http` for `src/http/server.ts`.
function subfolderOf(path: string): string {
  return posix.dirname(path).split('/').slice(1, 3).join('/');
}

function partOf(path: string): string {
  return path.split('/')[2]?.replace(/\.ts$/, '') ?? '';
}

function edgesOf({ path, text }: Source): Edge[] {
  return importsOf(text)
    .filter((one) => one.path.startsWith('.'))
    .map((one) => ({ line: one.line, target: posix.join(posix.dirname(path), one.path) }))
    .filter(({ target }) => target.startsWith('src/'))
    .map(({ line, target }) => {
      const parts = { from: partOf(path), to: partOf(target) };
      return { from: folderOf(path), to: folderOf(target), parts, part: subfolderOf(target), path, target, line };
    });
}

// By whatever way: a file that the client imports may import what the client must not.
function serviceReached(edges: readonly Edge[]): Finding[] {
  const graph = new Map<string, Set<string>>();
  for (const { path, target } of edges) graph.set(path, (graph.get(path) ?? new Set()).add(target));
  const roots = [...graph.keys()].filter(runsWithoutService);
  const reached = new Set([...roots, ...roots.flatMap((root) => [...reachedFrom(graph, root)])]);
  return edges
    .filter(({ path, to }) => reached.has(path) && !isOfService(folderOf(path)) && isOfService(to))
    .map(({ path, line, to }) => ({ path, line, reason: `what runs without a server comes to ${to} by this` }));
}

// The files of the frame import each other, which is not a cycle between folders.
function circles(edges: readonly Edge[]): Finding[] {
  const between = edges.filter(({ from, to }) => from !== to && !isFrame(from) && !isFrame(to));
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of between) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  const reached = new Map([...graph.keys()].map((folder) => [folder, reachedFrom(graph, folder)]));
  return between
    .filter(({ from, to }) => reached.get(to)?.has(from))
    .map(({ from, to, path, line }) => ({ path, line, reason: `${from} and ${to} import each other in a circle` }));
}

// Files that ask for an ecosystem by its name. The list may only shrink.
const ASKING_STILL = ['src/mcp/tools/check-upgrades\\.ts'];

const TEXT_RULES = [
  { form: /\bprocess\s*\.\s*env\b/g, only: /^src\/config\.ts$/, reason: 'only src/config.ts reads the environment' },
  {
    form: /\bdialect\s*\??\.\s*name\b|===?\s*['"](?:postgres|sqlite)['"]|['"](?:postgres|sqlite)['"]\s*===?/g,
    only: /^src\/store\//,
    reason: 'only src/store asks which engine runs; make the difference a method of Dialect',
  },
  {
    form: /=\s*['"](?:npm|pypi)['"]|['"](?:npm|pypi)['"]\s*[=!]==?|\b(?:npm\|pypi|pypi\|npm)\b|['"]npm['"]\s*[|,]\s*['"]pypi['"]|\bcase\s+['"](?:npm|pypi)['"]/g,
    only: new RegExp(`^src/(?:domain/ecosystems|store/migrations)/|^(?:${ASKING_STILL.join('|')})$`),
    reason: 'only src/domain/ecosystems asks which ecosystem it is; make the difference a fact of its table',
  },
];

function checkText({ path, text }: Source): Finding[] {
  const code = withoutComments(text);
  return TEXT_RULES.filter(({ only }) => !only.test(path)).flatMap(({ form, reason }) =>
    [...code.matchAll(form)].map((match) => ({ path, line: lineOf(code, match.index), reason })),
  );
}

if (import.meta.main) {
  const paths = globSync('src/**/*.ts').map((path) => path.replaceAll('\\', '/'));
  const sources = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const findings = checkLayers(sources).map(({ path, line, reason }) => `${path}:${line}  ${reason}`);
  const knots = findKnots(sources.filter(({ path }) => !/\.(?:test|fixture)\.ts$/.test(path)));
  const faults = [...findings, ...knotFaults(knots, KNOWN_KNOTS)];
  for (const fault of faults) console.error(fault);
  console.log(`layers: ${paths.length} files, ${knots.length} knots, ${faults.length} findings`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
