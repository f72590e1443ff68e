// One line of evidence: what a comparison of two published packages shows, and how certain that is.
import { weightOf } from './weight.ts';

// Raised whenever the same packages may give other findings.
export const RULES_VERSION = 7;

export const FINDING_KINDS = [
  'export_removed',
  'subpath_removed',
  'bin_removed',
  'member_removed',
  'became_type_only',
  'default_export_changed',
  'parameter_required',
  'parameter_narrowed',
  'result_changed',
  'type_changed',
  'esm_only',
  'engines_raised',
  'peer_raised',
  'peer_added',
  'parameter_removed',
  'parameter_keyword_only',
  'parameter_positional_only',
  'extra_removed',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];
type Certainty = 'proven' | 'likely';

export interface Finding {
  kind: FindingKind;
  // The export, member, command or field, such as `Logger.child` or `engines.node`.
  name: string;
  // The entry point: `.`, `./plugin`; '' for fields of package.json.
  subpath: string;
  certainty: Certainty;
  was: string | null;
  is: string | null;
  text: string;
  // How near it is to what people use, the higher the nearer.
  weight?: number;
  // Other names by which the same is told.
  roads?: Road[];
  witness?: Witness;
}

// The smallest code that the old version takes and the new one does not, as the compiler says.
export interface Witness {
  code: string;
  language: 'typescript' | 'javascript';
  error: string;
}

export interface Road {
  name: string;
  subpath: string;
}

// What a finding is about: what people call, a member of it, what they name, a name told before, an inherited member.
export const RANK = { call: 0, member: 1, type: 2, again: 3, inherited: 4 } as const;

// A finding while it is gathered. The rank of names, calls and fields of package.json is left out.
export interface Found extends Finding {
  rank?: number;
  // Clients of which one may be its witness; none where it needs none or none can be written.
  clients?: readonly string[];
}

const MAX_VALUE_LENGTH = 300;
export const MAX_FINDINGS = 5_000;
// Signatures keep so many places when names alone would fill the list.
const LIKELY_PLACES = 1_000;

// Kinds that types alone tell are likely; the rest can be looked up in the package.
const LIKELY = new Set<FindingKind>(['parameter_required', 'parameter_narrowed', 'result_changed', 'type_changed']);

export function certaintyOf(kind: FindingKind): Certainty {
  return LIKELY.has(kind) ? 'likely' : 'proven';
}

export interface Evidence {
  findings: Finding[];
  // How many findings were left out of the list.
  more: number;
  counts: { proven: number; likely: number };
}

// Puts findings in order and leaves out what is too many. `mentioned`: names in code of the package's own README.
export function evidenceOf(found: Iterable<Found>, mentioned: ReadonlySet<string> = new Set()): Evidence {
  const all = [...found].map((one) => ({ ...one, weight: weightOf(one, mentioned) })).sort(byCertaintyAndWeight);
  const likely = all.filter(({ certainty }) => certainty === 'likely');
  const proven = all.filter(({ certainty }) => certainty === 'proven');
  const places = Math.max(MAX_FINDINGS - likely.length, MAX_FINDINGS - LIKELY_PLACES);
  const first = proven.slice(0, places);
  const findings = [...first, ...likely.slice(0, MAX_FINDINGS - first.length)].map(plain);
  return { findings, more: all.length - findings.length, counts: { proven: proven.length, likely: likely.length } };
}

function plain({ rank: _, clients: __, ...finding }: Found): Finding {
  return { ...finding, was: shortened(finding.was), is: shortened(finding.is), text: shortened(finding.text) ?? '' };
}

function shortened(value: string | null): string | null {
  return value !== null && value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH - 1)}…` : value;
}

type Told = Pick<Finding, 'certainty' | 'weight' | 'subpath' | 'name' | 'kind'>;

export function byCertaintyAndWeight(a: Told, b: Told): number {
  if (a.certainty !== b.certainty) return a.certainty === 'proven' ? -1 : 1;
  const heavier = (b.weight ?? 0) - (a.weight ?? 0);
  return heavier || inOrder(a.subpath, b.subpath) || inOrder(a.name, b.name) || inOrder(a.kind, b.kind);
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
