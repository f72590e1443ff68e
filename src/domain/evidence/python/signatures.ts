// Which calls of a function no longer bind, by how they give their arguments.
import type { PythonParameter } from './model.ts';

type CallChange = {
  kind: 'parameter_removed' | 'parameter_required' | 'parameter_keyword_only' | 'parameter_positional_only';
  parameter: string;
  // What a person reads behind the name of the function.
  words: string;
};

export function changedCalls(old: readonly PythonParameter[], next: readonly PythonParameter[]): CallChange[] {
  const takesAnyName = next.some(({ kind }) => kind === 'all_keywords');
  const takesAnyPlace = next.some(({ kind }) => kind === 'all_positional');
  const byName = new Map(next.map((one) => [one.name, one]));
  const found: CallChange[] = [];
  const oldPlaces = old.filter(isPlaced);
  const newPlaces = next.filter(isPlaced);
  for (const one of old) {
    if (one.kind === 'all_keywords' || one.kind === 'all_positional') continue;
    const now = byName.get(one.name);
    const isNamed = one.kind !== 'positional' && !one.name.startsWith('_');
    if (!now || now.kind === 'all_keywords' || now.kind === 'all_positional') {
      if (isNamed && !takesAnyName) found.push(removed(one, oldPlaces, newPlaces, byName, old));
      continue;
    }
    if (one.hasDefault && !now.hasDefault) {
      found.push({ kind: 'parameter_required', parameter: one.name, words: `now needs \`${one.name}\`` });
    }
    if (isNamed && now.kind === 'positional' && !takesAnyName) {
      const words = `takes \`${one.name}\` by its place only`;
      found.push({ kind: 'parameter_positional_only', parameter: one.name, words });
    }
    if (one.kind === 'either' && now.kind === 'keyword' && !takesAnyPlace) {
      const words = `takes \`${one.name}\` by its name only`;
      found.push({ kind: 'parameter_keyword_only', parameter: one.name, words });
    }
  }
  return [...found, ...newlyRequired(old, next)];
}

function isPlaced({ kind }: PythonParameter): boolean {
  return kind === 'either' || kind === 'positional';
}

function removed(
  { name }: PythonParameter,
  oldPlaces: readonly PythonParameter[],
  newPlaces: readonly PythonParameter[],
  byName: ReadonlyMap<string, PythonParameter>,
  old: readonly PythonParameter[],
): CallChange {
  const place = oldPlaces.findIndex((one) => one.name === name);
  const other = place < 0 ? undefined : newPlaces[place];
  const isRenamed =
    other !== undefined && byName.get(other.name) === other && !old.some((one) => one.name === other.name);
  const words = isRenamed
    ? `no longer takes \`${name}\` by that name, it is \`${other.name}\` now`
    : `no longer takes \`${name}\``;
  return { kind: 'parameter_removed', parameter: name, words };
}

// What an old call that gave everything it had to does not give.
function newlyRequired(old: readonly PythonParameter[], next: readonly PythonParameter[]): CallChange[] {
  const known = new Set(old.map(({ name }) => name));
  const added = next.filter(
    ({ name, kind, hasDefault }) =>
      !hasDefault && !known.has(name) && kind !== 'all_keywords' && kind !== 'all_positional',
  );
  const needed = (all: readonly PythonParameter[]) => all.filter((one) => isPlaced(one) && !one.hasDefault).length;
  // Who took any number of arguments by their place checked them inside.
  const isLonger = needed(next) > needed(old) && !old.some(({ kind }) => kind === 'all_positional');
  return added
    .filter((one) => one.kind === 'keyword' || isLonger)
    .map(({ name }) => ({ kind: 'parameter_required', parameter: name, words: `now needs \`${name}\`` }));
}

// As it is called, in short.
export function writtenCall(name: string, parameters: readonly PythonParameter[]): string {
  const parts: string[] = [];
  let isStarred = false;
  for (const [index, { name: one, kind, hasDefault }] of parameters.entries()) {
    if (kind === 'keyword' && !isStarred) parts.push('*');
    if (kind === 'keyword' || kind === 'all_positional') isStarred = true;
    const mark = kind === 'all_positional' ? '*' : kind === 'all_keywords' ? '**' : '';
    parts.push(`${mark}${one}${hasDefault ? '=…' : ''}`);
    if (kind === 'positional' && parameters[index + 1]?.kind !== 'positional') parts.push('/');
  }
  return `${name}(${parts.join(', ')})`;
}
