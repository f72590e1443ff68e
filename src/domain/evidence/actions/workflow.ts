// Where a workflow, or an action made of steps, calls actions: with which inputs, which outputs it reads, and on what it runs.
import type { YAMLMap } from 'yaml';
import { yaml } from '../../changelog/yaml-markdown.ts';
import { parseYaml } from '../../changelog/yaml-sections.ts';
import { MAX_ACTION_FILE } from './interface.ts';

export interface ActionCall {
  // `owner/name` as it is written, and the folder of an action below the root of its repository.
  repository: string;
  folder: string | null;
  ref: string;
  // What a comment behind a commit says: `# v6.0.0`.
  comment: string | null;
  line: number;
  given: readonly { name: string; line: number }[];
  outputs: readonly { name: string; line: number }[];
  runner: Runner;
}

// `unknown`: the labels are not those of hosted runners, or are worked out when it runs.
export type Runner = 'hosted' | 'own' | 'unknown';

const MAX_CALLS = 2_000;

export function readActionCalls(text: string): ActionCall[] {
  if (text.length > MAX_ACTION_FILE) return [];
  const root = parseYaml(text);
  if (!yaml().isMap(root)) return [];
  const lines = new Lines(text);
  const runs = childMap(root, 'runs');
  const jobs = (childMap(root, 'jobs')?.items ?? []).map(({ value }) => value).filter((job) => yaml().isMap(job));
  const places = [
    ...jobs.map((job) => ({ holder: job as YAMLMap, runner: runnerOfJob(job as YAMLMap) })),
    ...(runs ? [{ holder: runs, runner: 'unknown' as const }] : []),
  ];
  return places.flatMap(({ holder, runner }) => callsOfSteps(holder, { runner, lines, text })).slice(0, MAX_CALLS);
}

interface Place {
  runner: Runner;
  lines: Lines;
  text: string;
}

const CALL = /^([\w.-]+\/[\w.-]+)((?:\/[\w.-]+)*)@([^\s@]+)$/;

function callsOfSteps(holder: YAMLMap, { runner, lines, text }: Place): ActionCall[] {
  const steps = holder.get('steps', true);
  if (!yaml().isSeq(steps)) return [];
  const read = readOutputs(holder, { lines, text });
  return steps.items.flatMap((step) => {
    if (!yaml().isMap(step)) return [];
    const uses = step.get('uses', true);
    const [, repository, folder, ref] = (yaml().isScalar(uses) && CALL.exec(String(uses.value))) || [];
    if (!repository || !ref || !yaml().isScalar(uses)) return [];
    const id = step.get('id');
    const given = (childMap(step as YAMLMap, 'with')?.items ?? []).flatMap(({ key }) =>
      yaml().isScalar(key) ? [{ name: String(key.value), line: lines.at(key.range?.[0] ?? 0) }] : [],
    );
    return {
      repository,
      folder: folder ? folder.slice(1) : null,
      ref,
      comment: uses.comment?.trim() ?? null,
      line: lines.at(uses.range?.[0] ?? 0),
      given,
      outputs: typeof id === 'string' ? (read.get(id) ?? []) : [],
      runner,
    };
  });
}

const OUTPUT =
  /steps\s*(?:\.\s*([\w-]+)|\[\s*'([\w-]+)'\s*\])\s*\.\s*outputs\s*(?:\.\s*([\w-]+)|\[\s*'([\w-]+)'\s*\])/g;

// Which outputs of which step the job reads, wherever in it: `steps.build.outputs.digest`.
function readOutputs(
  holder: YAMLMap,
  { lines, text }: Omit<Place, 'runner'>,
): Map<string, { name: string; line: number }[]> {
  const [start = 0, , end = text.length] = holder.range ?? [];
  const found = new Map<string, { name: string; line: number }[]>();
  for (const match of text.slice(start, end).matchAll(OUTPUT)) {
    const id = match[1] ?? match[2] ?? '';
    const list = found.get(id) ?? [];
    list.push({ name: match[3] ?? match[4] ?? '', line: lines.at(start + match.index) });
    found.set(id, list);
  }
  return found;
}

const HOSTED = /^(?:ubuntu|windows|macos)-(?:latest|\d[\w.]*|slim)(?:-[\w.]+)*$/i;

function runnerOfJob(job: YAMLMap): Runner {
  const labels = labelsIn(job.get('runs-on', true), job);
  if (labels === null || labels.length === 0) return 'unknown';
  if (labels.some((label) => label.toLowerCase() === 'self-hosted')) return 'own';
  return labels.every((label) => HOSTED.test(label)) ? 'hosted' : 'unknown';
}

// Null where they are worked out when it runs.
function labelsIn(node: unknown, job: YAMLMap): string[] | null {
  if (yaml().isScalar(node)) return expandLabel(String(node.value), job);
  if (!yaml().isSeq(node)) return null;
  const lists = node.items.map((one) => labelsIn(one, job));
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

// `${{ matrix.os }}` stands for each value of its axis, those of added combinations too.
function expandLabel(label: string, job: YAMLMap): string[] | null {
  if (!label.includes('${{')) return [label];
  const axis = /^\$\{\{\s*matrix\.([\w-]+)\s*\}\}$/.exec(label.trim())?.[1];
  const strategy = axis === undefined ? null : childMap(job, 'strategy');
  const matrix = strategy && childMap(strategy, 'matrix');
  if (!matrix || axis === undefined) return null;
  const included = matrix.get('include', true);
  const combinations = yaml().isSeq(included) ? included.items.filter((one) => yaml().isMap(one)) : [];
  const values = [matrix.get(axis, true), ...combinations.map((one) => (one as YAMLMap).get(axis, true))];
  const texts = values.flatMap((value) => {
    if (yaml().isSeq(value)) return value.items.map(plainText);
    return value === undefined ? [] : [plainText(value)];
  });
  return texts.length === 0 || texts.some((text) => text === null || text.includes('${{')) ? null : texts.map(String);
}

function plainText(node: unknown): string | null {
  return yaml().isScalar(node) ? String(node.value) : null;
}

function childMap(map: YAMLMap, key: string): YAMLMap | null {
  const value = map.get(key, true);
  return yaml().isMap(value) ? (value as YAMLMap) : null;
}

// Line numbers of offsets, from 1.
class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
