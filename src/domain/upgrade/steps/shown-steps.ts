// The steps that published packages ask for by themselves: raised floors, and what is gone without a word in the notes. Each
// with its own version, and measured by what the reader has.
import { bareName, floorOfField, isHigher, type ReadStep } from './read-step.ts';

export interface ComparedPair {
  from: string;
  to: string;
  // No other version lies between the two, so that what it shows became true with the second.
  isStep: boolean;
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

export interface StepRange {
  from: string | null;
  to: string | null;
}

// `notes` are the steps of the notes, which need not be told twice.
export function shownSteps(pairs: readonly ComparedPair[], range: StepRange, notes: string): ShownStep[] {
  const whole = pairs.find((pair) => isWhole(pair, range));
  const parts = pairs.filter((pair) => pair !== whole);
  // What came back within the range is not gone for a reader who takes the whole of it.
  const told = whole ? [whole] : parts;
  const steps = told.flatMap((pair) =>
    pair.findings
      .filter(({ certainty }) => certainty === 'proven')
      .flatMap((finding) => {
        const step = stepOf(ofReader(finding, pair, range), notes);
        return step === null ? [] : [{ ...step, version: versionOfFinding(finding, pair, parts) }];
      }),
  );
  const left = new Set(steps.filter(({ kind }) => kind === 'removal').slice(MAX_REMOVALS));
  return steps.filter((step) => !left.has(step));
}

function isWhole(pair: ComparedEnds, range: StepRange): boolean {
  return pair.from === range.from && pair.to === range.to;
}

// The version with which a finding became true for good: the last step that shows it. Null while only wider pairs do.
function versionOfFinding(finding: StepFinding, pair: ComparedPair, parts: readonly ComparedPair[]): string | null {
  if (pair.isStep) return pair.to;
  return parts.findLast((one) => one.isStep && one.findings.some((other) => isSame(other, finding)))?.to ?? null;
}

// A floor is the same when it is as high: it may rise several times within a range.
function isSame(one: StepFinding, other: StepFinding): boolean {
  return one.kind === other.kind && one.name === other.name && (!FLOORS[one.kind] || one.is === other.is);
}

type ComparedEnds = Pick<ComparedPair, 'from' | 'to'>;

// A floor of a part of the range: what stood before it is not what the reader has, and a later version may need more.
function ofReader<T extends StepFinding>(finding: T, { from, to }: ComparedEnds, range: StepRange): T {
  if (!FLOORS[finding.kind]) return finding;
  const text = from === range.from ? finding.text : finding.text.replace(/ \((?:[^()]|\([^()]*\))* before\)/, '');
  return { ...finding, text: to === range.to ? text : `${to} ${text}` };
}

// What the packages show a reader who takes the whole range: by its two ends, or while these are not compared by the parts
// of it, of which the highest floor counts.
export function rangeFindings<T extends StepFinding>(
  pairs: readonly (ComparedEnds & { findings: readonly T[] })[],
  range: StepRange,
): readonly T[] {
  const whole = pairs.find((pair) => isWhole(pair, range));
  if (whole) return whole.findings;
  const kept = new Map<string, { finding: T; place: ComparedEnds }>();
  for (const { findings, ...place } of pairs) {
    for (const finding of findings) {
      const key = `${finding.kind} ${finding.name}`;
      const known = kept.get(key);
      if (!known || isHigherFloor(finding, known.finding)) kept.set(key, { finding, place });
    }
  }
  return [...kept.values()].map(({ finding, place }) => ofReader(finding, place, range));
}

// The versions that prove a break against the version before them, which the reader meets at the end of the range too.
export function provenSteps(pairs: readonly ComparedPair[], range: StepRange): string[] {
  const whole = pairs.find((pair) => isWhole(pair, range));
  const isMet = (finding: StepFinding) =>
    finding.certainty === 'proven' && (!whole || whole.findings.some((one) => isSame(one, finding)));
  return pairs.filter(({ isStep, findings }) => isStep && findings.some(isMet)).map(({ to }) => to);
}

function isHigherFloor(one: StepFinding, other: StepFinding): boolean {
  const [floor, known] = [floorOfFinding(one), floorOfFinding(other)];
  return floor !== null && known !== null && isHigher(floor, known);
}

function floorOfFinding({ kind, name, is }: StepFinding) {
  const floor = FLOORS[kind];
  if (!floor) return null;
  const of = name.replace(/^(?:engines|peerDependencies)\./, '');
  return floorOfField(floor, of.toLowerCase(), is ?? '');
}

function stepOf(finding: StepFinding, notes: string): ReadStep | null {
  const { kind, name, text } = finding;
  const plain = { text, floor: null, names: null, removed: [] };
  const floor = FLOORS[kind];
  if (floor) return { ...plain, kind: floor, floor: floorOfFinding(finding) };
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
