// What an action declares in its `action.yml`: a typed interface that every release of it has.
import type { YAMLMap } from 'yaml';
import { yaml } from '../../changelog/yaml-markdown.ts';
import { parseYaml } from '../../changelog/yaml-sections.ts';

export interface ActionInput {
  required: boolean;
  // Null where none is given; the text as it stands, expressions too.
  default: string | null;
  deprecated: boolean;
}

export interface ActionInterface {
  // By their names as they are written; names of inputs do not care about case.
  inputs: ReadonlyMap<string, ActionInput>;
  outputs: readonly string[];
  // `node20`, `docker`, `composite`, or `plugin` of the first actions.
  using: string | null;
}

export const MAX_ACTION_FILE = 1024 * 1024;
const MAX_NAMES = 2_000;

// Null for a text that declares no action.
export function readActionInterface(text: string): ActionInterface | null {
  if (text.length > MAX_ACTION_FILE) return null;
  const root = parseYaml(text);
  if (!yaml().isMap(root)) return null;
  const runs = mapIn(root, 'runs');
  if (!runs) return null;
  const inputs = new Map<string, ActionInput>();
  for (const [name, declared] of entriesOfMap(mapIn(root, 'inputs'))) {
    const facts = yaml().isMap(declared) ? declared : null;
    inputs.set(name, {
      required: scalarIn(facts, 'required')?.toLowerCase() === 'true',
      default: scalarIn(facts, 'default'),
      deprecated: scalarIn(facts, 'deprecationMessage') !== null,
    });
  }
  const outputs = entriesOfMap(mapIn(root, 'outputs')).map(([name]) => name);
  const using = scalarIn(runs, 'using') ?? (scalarIn(runs, 'plugin') === null ? null : 'plugin');
  return { inputs, outputs, using: using?.toLowerCase() ?? null };
}

function mapIn(map: YAMLMap, key: string): YAMLMap | null {
  const value = map.get(key, true);
  return yaml().isMap(value) ? (value as YAMLMap) : null;
}

function entriesOfMap(map: YAMLMap | null): [name: string, value: unknown][] {
  const named = (map?.items ?? []).slice(0, MAX_NAMES).map(({ key, value }): [string, unknown] => {
    return [yaml().isScalar(key) ? String(key.value) : '', value];
  });
  return named.filter(([name]) => name !== '');
}

// A scalar as text; null for nothing and for what is none.
function scalarIn(map: YAMLMap | null, key: string): string | null {
  const value = map?.get(key);
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : null;
}
