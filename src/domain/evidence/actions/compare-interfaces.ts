// What the interfaces of two releases of an action show. It is exact: both declare everything that a workflow can name.
import type { ActionInput, ActionInterface } from './interface.ts';

export type ActionChange =
  | { kind: 'input_removed' | 'output_removed' | 'input_deprecated'; name: string }
  // No default stands for it; the runner does not enforce it, the action decides.
  | { kind: 'input_required'; name: string }
  | { kind: 'default_changed'; name: string; was: string | null; is: string }
  | { kind: 'default_gone'; name: string; was: string }
  | { kind: 'runtime_raised' | 'runtime_lowered'; was: string; is: string }
  // Another kind of action: Node, Docker, steps.
  | { kind: 'runtime_kind'; was: string; is: string };

// Changes that can break a workflow that names what they are about, or runs where the runtime is missing.
const BREAKS: ReadonlySet<ActionChange['kind']> = new Set([
  'input_removed',
  'output_removed',
  'input_required',
  'runtime_raised',
  'runtime_kind',
]);

export function isActionBreak({ kind }: ActionChange): boolean {
  return BREAKS.has(kind);
}

export function compareActions(old: ActionInterface, next: ActionInterface): ActionChange[] {
  return [...inputChanges(old, next), ...outputChanges(old, next), ...runtimeChanges(old.using, next.using)];
}

function inputChanges(old: ActionInterface, next: ActionInterface): ActionChange[] {
  const [before, after] = [byFoldedName(old), byFoldedName(next)];
  const gone = [...before].filter(([key]) => !after.has(key));
  const removed = gone.map(([, { name }]): ActionChange => ({ kind: 'input_removed', name }));
  const changed = [...after].flatMap(([key, { name, input }]) =>
    inputChange(name, before.get(key)?.input ?? null, input),
  );
  return [...removed, ...changed];
}

function inputChange(name: string, old: ActionInput | null, next: ActionInput): ActionChange[] {
  const changes: ActionChange[] = [];
  if (mustBeGiven(next) && !(old && mustBeGiven(old))) changes.push({ kind: 'input_required', name });
  if (!old) return changes;
  if (next.deprecated && !old.deprecated) changes.push({ kind: 'input_deprecated', name });
  if (old.default === next.default) return changes;
  if (next.default !== null) changes.push({ kind: 'default_changed', name, was: old.default, is: next.default });
  else if (old.default !== null && old.default !== '') changes.push({ kind: 'default_gone', name, was: old.default });
  return changes;
}

function mustBeGiven(input: ActionInput): boolean {
  return input.required && input.default === null;
}

function outputChanges(old: ActionInterface, next: ActionInterface): ActionChange[] {
  const left = new Set(next.outputs.map((name) => name.toLowerCase()));
  const gone = old.outputs.filter((name) => !left.has(name.toLowerCase()));
  return gone.map((name) => ({ kind: 'output_removed', name }));
}

function runtimeChanges(was: string | null, is: string | null): ActionChange[] {
  if (was === null || is === null || was === is) return [];
  const [old, next] = [nodeOfRuntime(was), nodeOfRuntime(is)];
  if (old === null || next === null) return [{ kind: 'runtime_kind', was, is }];
  return [{ kind: next > old ? 'runtime_raised' : 'runtime_lowered', was, is }];
}

// The major of `node20`; null for other kinds.
export function nodeOfRuntime(using: string): number | null {
  const found = /^node(\d{1,3})$/.exec(using);
  return found ? Number(found[1]) : null;
}

function byFoldedName({ inputs }: ActionInterface): Map<string, { name: string; input: ActionInput }> {
  return new Map([...inputs].map(([name, input]) => [name.toLowerCase(), { name, input }]));
}
