// The exports of a source text, and the names that it imports from our files.
import { posix } from 'node:path';
import { lineOf, withoutComments } from './imports.ts';

interface Export {
  name: string;
  line: number;
}

interface UsedNames {
  // The imported file, from the root of the repository.
  path: string;
  // The imported names; null when they cannot be known.
  names: ReadonlySet<string> | null;
}

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (?<name>[\w$]+)/gm;
const LIST = /^export (?:type )?\{(?<list>[^}]*)\}/gm;
const CLAUSE = /^(?:import|export)\s+(?:type\s+)?(?<clause>[^'"`;]*?)\s*\bfrom\s*['"](?<path>\.[^'"]+)['"]/gm;
// A quoted path outside of an import clause: a lazy import, or the script of a thread or another process.
const QUOTED = /['"`](?<path>\.\.?\/[\w./-]+)/g;

export function exportsOf(text: string): Export[] {
  const code = withoutComments(text);
  const declared = [...code.matchAll(DECLARATION)].map((match) => ({
    name: match.groups?.name ?? '',
    line: lineOf(code, match.index),
  }));
  const listed = [...code.matchAll(LIST)].flatMap((match) =>
    namesIn(match.groups?.list ?? '').map(({ outside }) => ({ name: outside, line: lineOf(code, match.index) })),
  );
  return [...declared, ...listed];
}

export function usedNamesOf(path: string, text: string): UsedNames[] {
  const code = withoutComments(text);
  const resolve = (target: string) => posix.join(posix.dirname(path), target);
  const imported = [...code.matchAll(CLAUSE)].map((match) => ({
    path: resolve(match.groups?.path ?? ''),
    names: clauseNames(match.groups?.clause ?? ''),
  }));
  const rest = code.replace(CLAUSE, '');
  const paths = [...rest.matchAll(QUOTED)];
  if (paths.length === 0) return imported;
  const words = new Set(rest.match(/[\w$]+/g));
  const quoted = paths.flatMap((match) => {
    const target = resolve(match.groups?.path ?? '');
    // The extension is left out where it depends on whether types are stripped.
    return [target, `${target}.ts`].map((one) => ({ path: one, names: words }));
  });
  return [...imported, ...quoted];
}

function clauseNames(clause: string): ReadonlySet<string> | null {
  const braces = clause.match(/\{(?<list>[^}]*)\}/)?.groups?.list;
  if (braces === undefined) return null;
  return new Set(namesIn(braces).map(({ inside }) => inside));
}

// `a`, `type a` and `a as b`: `inside` is the name in the imported file, `outside` the one after `as`.
function namesIn(list: string): { inside: string; outside: string }[] {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/^type\s+/, ''))
    .filter(Boolean)
    .map((entry) => {
      const [inside = '', outside = inside] = entry.split(/\s+as\s+/);
      return { inside, outside };
    });
}
