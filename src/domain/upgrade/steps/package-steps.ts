// The steps that published packages ask for by themselves: raised floors, and what is gone without a word in the notes.
import { floorOfField } from './floor.ts';
import { bareName, type ReadStep } from './read-step.ts';

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

export interface StepRange {
  from: string | null;
  to: string | null;
  // No other version lies between the two.
  isOneStep: boolean;
}

// `notes` are the steps of the notes, which need not be told twice.
export function shownSteps(pairs: readonly ComparedPair[], range: StepRange, notes: string): ShownStep[] {
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
