// What a reader has to do for a whole range, each thing once: the steps of the notes, oldest first, and what the published
// packages show besides.
import { bareName, isHigher, type ReadStep, readStep, type StepKind } from './read-step.ts';
import { type ComparedPair, type StepRange, shownSteps } from './shown-steps.ts';

interface UpgradeStep {
  kind: StepKind;
  text: string;
  // The versions that ask for it, oldest first; of a floor the one that raised it to that. Empty while no step between
  // versions is known to bring it.
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

const NO_RANGE: StepRange = { from: null, to: null };
// Of one answer; the others are counted.
export const MAX_STEPS = 100;
const MIN_SENTENCE_LENGTH = 30;
// Far more than an answer has room for; of what comes after them only the same words are told once.
const MAX_COMPARED = 400;

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

// All steps, however many there are.
export function mergeSteps({ entries, pairs = [], range = NO_RANGE }: StepInput): UpgradeStep[] {
  const told: ToldStep[] = [];
  const further = new Map<string, ToldStep>();
  const note = (step: ToldStep) => {
    if (tell(told, step)) return;
    const known = further.get(step.words);
    if (known) join(known, step);
    else further.set(step.words, step);
  };
  for (const [at, { id, version, steps }] of entries.entries()) {
    for (const text of steps) {
      note({ ...readText(text), from: 'notes', tellers: [{ at, version, id }] });
    }
  }
  const notes = entries.flatMap(({ steps }) => steps).join('\n');
  for (const { version, ...step } of shownSteps(pairs, range, notes)) {
    const at = entries.findIndex((entry) => version !== null && entry.version === version);
    const teller = { at: at === -1 ? entries.length : at, version, id: entries[at]?.id ?? null };
    note({ ...step, words: sameWords(step.text), from: 'package', tellers: [teller] });
  }
  const all = [...told, ...further.values()];
  const asked = all.filter(({ text }) => !POINTER.test(text));
  return (asked.length > 0 ? asked : all).sort(byPlace).map(toUpgradeStep);
}

// Those that an answer has room for, and how many there are besides.
export function cutSteps<T>(all: readonly T[], room: number = MAX_STEPS): { steps: T[]; moreSteps?: number } {
  const more = all.length - room;
  return { steps: all.slice(0, room), ...(more > 0 ? { moreSteps: more } : {}) };
}

// The same notes stand in many ranges of one call.
const READ_TEXTS = 2_000;
const readTexts = new Map<string, Pick<ToldStep, keyof ReadStep | 'words'>>();

function readText(text: string): Pick<ToldStep, keyof ReadStep | 'words'> {
  const known = readTexts.get(text);
  if (known) return known;
  if (readTexts.size >= READ_TEXTS) readTexts.clear();
  const read = { ...readStep(text), words: sameWords(text) };
  readTexts.set(text, read);
  return read;
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

// Adds a step, or joins it with the one that already asks for the same; false when there is no room for another one.
function tell(told: ToldStep[], step: ToldStep): boolean {
  const known =
    step.floor !== null
      ? joinFloor(told, step)
      : step.names !== null
        ? joinRename(told, step, step.names)
        : step.removed.length > 0 && joinRemoval(told, step);
  if (known || joinWords(told, step)) return true;
  if (told.length >= MAX_COMPARED) return false;
  told.push(step);
  return true;
}

function join(known: ToldStep, step: ToldStep): void {
  known.tellers = [...known.tellers, ...step.tellers].sort((one, other) => one.at - other.at);
}

// The highest floor stands for all of its kind, with the version that raised it to that.
function joinFloor(told: readonly ToldStep[], step: ToldStep): boolean {
  const known = told.find(({ floor }) => floor !== null && floor.of === step.floor?.of);
  if (!known?.floor || !step.floor) return false;
  const isEarlier = !isHigher(known.floor, step.floor) && (step.tellers[0]?.at ?? 0) < (known.tellers[0]?.at ?? 0);
  if (isHigher(step.floor, known.floor) || isEarlier) Object.assign(known, step);
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

// A step may also be a part of another one in the same notes, in whatever order its words stand; the longer one tells both.
function joinWords(told: readonly ToldStep[], step: ToldStep): boolean {
  const [teller] = step.tellers;
  const beside = told.filter(({ tellers }) => tellers.at(-1)?.at === teller?.at);
  const known = told.find(({ words }) => words === step.words) ?? beside.find((one) => isPart(step, one));
  if (known) {
    join(known, step);
    return true;
  }
  const part = beside.find((one) => one.floor === null && one.names === null && isPart(one, step));
  if (!part) return false;
  const { tellers } = part;
  Object.assign(part, step, { tellers });
  return true;
}

const MIN_WORDS = 4;
const CODE = /`[^`]+`/g;
// What differs by a number is something else.
const NUMBER = /\d/;

function isPart(part: ToldStep, whole: ToldStep): boolean {
  if (part.words.length > whole.words.length) return false;
  if (part.words.length >= MIN_SENTENCE_LENGTH && ` ${whole.words} `.includes(` ${part.words} `)) return true;
  const words = part.words.split(' ');
  const others = new Set(whole.words.split(' '));
  if (words.length < MIN_WORDS || !words.every((word) => others.has(word))) return false;
  return (part.text.match(CODE) ?? []).every((code) => whole.text.includes(code)) && !NUMBER.test(part.words);
}

function sameWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
