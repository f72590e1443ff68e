// Measures what two releases of an action show, and what that means for calls in workflows: `npm run eval:actions -- <folder>`, where
// `steps.json` and `interfaces/*.json` say what real actions declare, and `workflows/` has small repositories with `truth.json`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ActionChange, compareActions, isActionBreak } from '../src/domain/evidence/actions/compare-interfaces.ts';
import { type ActionInterface, readActionInterface } from '../src/domain/evidence/actions/interface.ts';
import { judgeCall } from '../src/domain/evidence/actions/judge-call.ts';
import { type ActionCall, readActionCalls } from '../src/domain/evidence/actions/workflow.ts';

interface DeclaredRow {
  tags: readonly { tag: string; commit: string }[];
  interface: {
    inputs: Record<string, { required: boolean; default: string | null; deprecated: boolean }>;
    outputs: readonly string[];
    using: string;
  };
}

interface Step {
  id: string;
  action: string;
  from: { tag: string };
  to: { tag: string };
  breaks: readonly { kind: string; name?: string }[];
}

interface WorkflowTruth {
  id: string;
  bumps: readonly { action: string; from: string; to: string }[];
  breaks: readonly { file: string; line: number; kind: string }[];
}

// As a release would write it, so that the reader of the product reads it.
function actionFile({ inputs, outputs, using }: DeclaredRow['interface']): string {
  const declared = Object.entries(inputs).map(([name, input]) => [
    name,
    {
      required: input.required,
      ...(input.default === null ? {} : { default: input.default }),
      ...(input.deprecated ? { deprecationMessage: 'gone soon' } : {}),
    },
  ]);
  const runs = using === 'plugin' ? { plugin: 'x' } : { using };
  return JSON.stringify({
    inputs: Object.fromEntries(declared),
    outputs: Object.fromEntries(outputs.map((name) => [name, {}])),
    runs,
  });
}

class Actions {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  changes(action: string, from: string, to: string): ActionChange[] | null {
    const [old, next] = [this.#read(action, from), this.#read(action, to)];
    return old && next && compareActions(old, next);
  }

  // Whether a workflow that names this reference has the release of the step.
  isRelease(action: string, ref: string, tag: string): boolean {
    const isCommit = /^[0-9a-f]{40}$/.test(ref);
    return ref === tag || (isCommit && this.#row(action, ref) === this.#row(action, tag));
  }

  #read(action: string, ref: string): ActionInterface | null {
    const row = this.#row(action, ref);
    return row ? readActionInterface(actionFile(row.interface)) : null;
  }

  #rows = new Map<string, DeclaredRow[]>();

  #row(action: string, ref: string): DeclaredRow | undefined {
    const rows =
      this.#rows.get(action) ?? readJson(join(this.#folder, 'interfaces', `${action.replaceAll('/', '__')}.json`));
    this.#rows.set(action, rows as DeclaredRow[]);
    return (rows as DeclaredRow[]).find(({ tags }) => tags.some(({ tag, commit }) => tag === ref || commit === ref));
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const DOUBTFUL: ReadonlySet<string> = new Set(['default_gone', 'runtime_lowered']);

const changeKey = ({ kind, name = '' }: { kind: string; name?: string }) => `${kind} ${name.toLowerCase()}`;

function scoreSteps(actions: Actions, steps: readonly Step[]): string {
  let [found, wanted, extra] = [0, 0, 0];
  for (const step of steps) {
    const changes = actions.changes(step.action, step.from.tag, step.to.tag);
    const truth = new Set(step.breaks.filter(({ kind }) => !DOUBTFUL.has(kind)).map(changeKey));
    const told = new Set((changes ?? []).filter(isActionBreak).map(changeKey));
    wanted += truth.size;
    found += [...truth].filter((key) => told.has(key)).length;
    extra += [...told].filter((key) => !truth.has(key)).length;
  }
  return `steps: ${found} of ${wanted} breaks, ${extra} extra`;
}

function scoreWorkflows(actions: Actions, folder: string, truths: readonly WorkflowTruth[]): string {
  let [found, wanted, extra] = [0, 0, 0];
  for (const { id, bumps, breaks } of truths) {
    for (const file of new Set(['.github/workflows/ci.yml', ...breaks.map((one) => one.file)])) {
      const calls = readActionCalls(readFileSync(join(folder, 'workflows', id, file), 'utf8'));
      const told = new Set(bumps.flatMap((bump) => calls.flatMap((call) => brokenLines(actions, call, bump))));
      const truth = breaks.filter((one) => one.file === file).map(({ kind, line }) => `${kind} ${line}`);
      wanted += truth.length;
      found += truth.filter((key) => told.has(key)).length;
      extra += [...told].filter((key) => !truth.includes(key)).length;
    }
  }
  return `workflows: ${found} of ${wanted} breaks, ${extra} extra`;
}

function brokenLines(
  actions: Actions,
  call: ActionCall,
  { action, from, to }: WorkflowTruth['bumps'][number],
): string[] {
  const name = [call.repository, ...(call.folder === null ? [] : [call.folder])].join('/');
  if (name !== action || !actions.isRelease(action, call.ref, from)) return [];
  const judged = judgeCall(call, actions.changes(action, from, to) ?? []);
  return judged.filter(({ use }) => use === 'breaks').map(({ change, line }) => `${change.kind} ${line}`);
}

if (import.meta.main) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('usage: npm run eval:actions -- <folder>');
  const actions = new Actions(folder);
  console.log(scoreSteps(actions, readJson(join(folder, 'steps.json')) as Step[]));
  console.log(scoreWorkflows(actions, folder, readJson(join(folder, 'workflows', 'truth.json')) as WorkflowTruth[]));
}
