// What a reader has to do for a whole range, each thing once: the steps of the notes, oldest first, and what the published
// packages show besides.
import { bareName, floorOfField, isHigher, type ReadStep, readStep, type StepKind } from './read-step.ts';

interface UpgradeStep {
  kind: StepKind;
  text: string;
  // The versions that ask for it, oldest first; empty when only the ends of the range were compared.
  versions: string[];
  releaseIds: string[];
  from: 'notes' | 'package';
}

export interface StepEntry {
  id: string;
  version: string | null;
  // The steps of its notes, as plain text with code between backticks.
  steps: readonly string[];
}

interface StepInput {
  // Oldest first.
  entries: readonly StepEntry[];
  // The pairs of published packages that were compared.
  pairs?: readonly ComparedPair[];
  range?: StepRange;
}

const NO_RANGE: StepRange = { from: null, to: null, isOneStep: false };
export const MAX_STEPS = 100;
const MIN_SENTENCE_LENGTH = 30;
// Far more than an answer has room for; what comes after them is only joined with a known one.
const MAX_TOLD = 400;

interface Teller {
  // The place in the range.
  at: number;
  version: string | null;
  id: string | null;
}

interface ToldStep extends ReadStep {
  words: string;
  from: UpgradeStep['from'];
  tellers: Teller[];
}

export function mergeSteps({ entries, pairs = [], range = NO_RANGE }: StepInput): UpgradeStep[] {
  const told: ToldStep[] = [];
  for (const [at, { id, version, steps }] of entries.entries()) {
    for (const text of steps) {
      tell(told, { ...readStep(text), words: sameWords(text), from: 'notes', tellers: [{ at, version, id }] });
    }
  }
  const notes = entries.flatMap(({ steps }) => steps).join('\n');
  for (const { version, ...step } of shownSteps(pairs, range, notes)) {
    const at = entries.findIndex((entry) => version !== null && entry.version === version);
    const teller = { at: at === -1 ? entries.length : at, version, id: entries[at]?.id ?? null };
    tell(told, { ...step, words: sameWords(step.text), from: 'package', tellers: [teller] });
  }
  const asked = told.filter(({ text }) => !POINTER.test(text));
  return (asked.length > 0 ? asked : told).sort(byPlace).slice(0, MAX_STEPS).map(toUpgradeStep);
}

// A step that only names a document, which is left out where others are told.
const POINTER =
  /^(?:if you(?: are|'re) upgrading[:,]? )?(?:please )?(?:see|read|refer to|check(?: out)?|consult)\b[^.`]{0,60}(?:`[^`]{1,60}\.md`|guide|docs|documentation|changelog|release notes)[^.`]{0,60}\.?$/i;

function byPlace(one: ToldStep, other: ToldStep): number {
  return (one.tellers[0]?.at ?? 0) - (other.tellers[0]?.at ?? 0);
}

function toUpgradeStep({ kind, text, tellers, from }: ToldStep): UpgradeStep {
  const versions = [...new Set(tellers.flatMap(({ version }) => version ?? []))];
  return { kind, text, versions, releaseIds: [...new Set(tellers.flatMap(({ id }) => id ?? []))], from };
}

// Adds a step, or joins it with the one that already asks for the same.
function tell(told: ToldStep[], step: ToldStep): void {
  const known =
    step.floor !== null
      ? joinFloor(told, step)
      : step.names !== null
        ? joinRename(told, step, step.names)
        : step.removed.length > 0 && joinRemoval(told, step);
  if (known || joinWords(told, step)) return;
  if (told.length < MAX_TOLD) told.push(step);
}

function join(known: ToldStep, step: ToldStep): void {
  known.tellers = [...known.tellers, ...step.tellers].sort((one, other) => one.at - other.at);
}

// The highest floor stands for all of its kind.
function joinFloor(told: readonly ToldStep[], step: ToldStep): boolean {
  const known = told.find(({ floor }) => floor !== null && floor.of === step.floor?.of);
  if (!known?.floor || !step.floor) return false;
  join(known, step);
  if (isHigher(step.floor, known.floor)) {
    known.text = step.text;
    known.floor = step.floor;
    known.from = step.from;
  }
  return true;
}

// A name that is changed again leads from the first name to the last; one that is changed back asks for nothing.
function joinRename(told: ToldStep[], step: ToldStep, names: NonNullable<ReadStep['names']>): boolean {
  const same = told.find((one) => one.names?.from === names.from && one.names.to === names.to);
  if (same) {
    join(same, step);
    return true;
  }
  const earlier = told.find((one) => one.names?.to === names.from);
  if (earlier?.names) {
    if (earlier.names.from === names.to) told.splice(told.indexOf(earlier), 1);
    else {
      join(earlier, step);
      earlier.text = withName(earlier.text, names.from, names.to);
      earlier.names = { from: earlier.names.from, to: names.to };
    }
    return true;
  }
  // What was only gone before has its new name now.
  const gone = told.findIndex(({ removed }) => removed.length === 1 && removed[0] === names.from);
  if (gone === -1) return false;
  join(step, told[gone] as ToldStep);
  told[gone] = step;
  return true;
}

// The text of the notes with one of its names exchanged.
function withName(text: string, old: string, next: string): string {
  return text.replaceAll(/`([^`]+)`/g, (span, code: string) =>
    bareName(code) === old ? `\`${code.replace(old, () => next)}\`` : span,
  );
}

// A removal is the same when it takes away what another one has already taken away or renamed.
function joinRemoval(told: readonly ToldStep[], step: ToldStep): boolean {
  const renamed = told.find(({ names }) => names !== null && step.removed.every((name) => name === names.from));
  if (renamed) {
    join(renamed, step);
    return true;
  }
  const holds = (one: readonly string[], other: readonly string[]) => other.every((name) => one.includes(name));
  const known = told.find(
    ({ removed }) => removed.length > 0 && (holds(removed, step.removed) || holds(step.removed, removed)),
  );
  if (!known) return false;
  join(known, step);
  if (step.removed.length > known.removed.length) {
    known.text = step.text;
    known.removed = step.removed;
  }
  return true;
}

// A step may also be a sentence of another one in the same notes.
function joinWords(told: readonly ToldStep[], step: ToldStep): boolean {
  const [teller] = step.tellers;
  const isWithin = step.words.length >= MIN_SENTENCE_LENGTH;
  const known = told.find(
    ({ words, tellers }) =>
      words === step.words ||
      (isWithin && tellers.at(-1)?.at === teller?.at && ` ${words} `.includes(` ${step.words} `)),
  );
  if (known) join(known, step);
  return known !== undefined;
}

function sameWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

// The steps that published packages ask for by themselves: raised floors, and what is gone without a word in the notes.

export interface ComparedPair {
  from: string;
  to: string;
  findings: readonly StepFinding[];
}

interface StepFinding {
  kind: string;
  name: string;
  certainty: 'proven' | 'likely';
  is: string | null;
  text: string;
}

interface ShownStep extends ReadStep {
  // Null when it is not known which version of the range brought it.
  version: string | null;
}

const REMOVALS = new Set(['export_removed', 'subpath_removed', 'bin_removed', 'member_removed']);
const FLOORS: Readonly<Record<string, 'runtime' | 'peer'>> = {
  engines_raised: 'runtime',
  peer_raised: 'peer',
  peer_added: 'peer',
};
// What breaks every reader of the package, and can be told by the words of the notes.
const OTHERS: Readonly<Record<string, RegExp>> = {
  esm_only: /\b(?:ESM|ES ?modules?|ECMAScript modules?|CommonJS|CJS|require\(\))/i,
  default_export_changed: /\bdefault export/i,
};
const MAX_REMOVALS = 40;

interface StepRange {
  from: string | null;
  to: string | null;
  // No other version lies between the two.
  isOneStep: boolean;
}

// `notes` are the steps of the notes, which need not be told twice.
function shownSteps(pairs: readonly ComparedPair[], range: StepRange, notes: string): ShownStep[] {
  const whole = pairs.find((pair) => pair.from === range.from && pair.to === range.to);
  const parts = pairs.filter((pair) => pair !== whole);
  // What came back within the range is not gone for a reader who takes the whole of it.
  const told = whole ? [whole] : parts;
  const steps = told.flatMap((pair) =>
    pair.findings
      .filter(({ certainty }) => certainty === 'proven')
      .flatMap((finding) => {
        const step = stepOf(finding, notes);
        if (step === null) return [];
        const part = parts.find((one) => one.findings.some((other) => isSame(other, finding)));
        return [{ ...step, version: part?.to ?? (pair === whole && !range.isOneStep ? null : pair.to) }];
      }),
  );
  const left = new Set(steps.filter(({ kind }) => kind === 'removal').slice(MAX_REMOVALS));
  return steps.filter((step) => !left.has(step));
}

function isSame(one: StepFinding, other: StepFinding): boolean {
  return one.kind === other.kind && one.name === other.name;
}

function stepOf({ kind, name, is, text }: StepFinding, notes: string): ReadStep | null {
  const plain = { text, floor: null, names: null, removed: [] };
  const floor = FLOORS[kind];
  if (floor) {
    const of = name.replace(/^(?:engines|peerDependencies)\./, '');
    return { ...plain, kind: floor, floor: floorOfField(floor, of.toLowerCase(), is ?? '') };
  }
  if (REMOVALS.has(kind)) {
    return isNamed(name, notes) ? null : { ...plain, kind: 'removal', removed: [bareName(name)] };
  }
  const words = OTHERS[kind];
  return words && !words.test(notes) ? { ...plain, kind: 'manual' } : null;
}

// Whether the notes name it: the whole of `Logger.child`, or its last part.
function isNamed(name: string, notes: string): boolean {
  const last =
    name
      .replace(/^bin\.|^\.\//, '')
      .split(/[.#]/)
      .at(-1) ?? name;
  if (last.length < 2) return false;
  for (let at = notes.indexOf(last); at !== -1; at = notes.indexOf(last, at + 1)) {
    if (!/[\w$]/.test(notes[at - 1] ?? ' ') && !/[\w$]/.test(notes[at + last.length] ?? ' ')) return true;
  }
  return false;
}
