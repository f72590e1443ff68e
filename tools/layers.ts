// The layer check of `npm test`: which folder may import which, no cycles between folders, and two rules that restrict
// the environment and the choice of an engine to one file each.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf, lineOf, withoutComments } from './imports.ts';
import { isFrame, isKnown, kernelRefusal, partRefusal, refusal } from './layer-plan.ts';

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
  return [...unknown, ...refused, ...circles(edges), ...inScope.flatMap(checkText)];
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
      return { from: folderOf(path), to: folderOf(target), parts, part: subfolderOf(target), path, line };
    });
}

// The files of the frame import each other, which is not a cycle between folders.
function circles(edges: readonly Edge[]): Finding[] {
  const between = edges.filter(({ from, to }) => from !== to && !isFrame(from) && !isFrame(to));
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>();
    const waiting = [start];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const edge of between) {
        if (edge.from !== folder || seen.has(edge.to)) continue;
        seen.add(edge.to);
        waiting.push(edge.to);
      }
    }
    return seen;
  };
  const reached = new Map([...new Set(between.map(({ to }) => to))].map((folder) => [folder, reach(folder)]));
  return between
    .filter(({ from, to }) => reached.get(to)?.has(from))
    .map(({ from, to, path, line }) => ({ path, line, reason: `${from} and ${to} import each other in a circle` }));
}

const TEXT_RULES = [
  { form: /\bprocess\s*\.\s*env\b/g, only: /^src\/config\.ts$/, reason: 'only src/config.ts reads the environment' },
  {
    form: /\bdialect\s*\??\.\s*name\b|===?\s*['"](?:postgres|sqlite)['"]|['"](?:postgres|sqlite)['"]\s*===?/g,
    only: /^src\/store\//,
    reason: 'only src/store asks which engine runs; make the difference a method of Dialect',
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
  const findings = checkLayers(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })));
  for (const { path, line, reason } of findings) console.error(`${path}:${line}  ${reason}`);
  console.log(`layers: ${paths.length} files, ${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
