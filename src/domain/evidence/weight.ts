// How near a finding is to what people use: what concerns everybody before what people call, that before members, members
// before types; among equals what the package's own README or notes mention.
import { type Found, RANK } from './finding.ts';

const OF_PACKAGE = 100;
// By rank: what is called, members, types, names told before, inherited members.
const BY_RANK = [80, 60, 40, 20, 20] as const;
const TYPE = 40;
const MENTIONED = 10;

const OF_ALL: ReadonlySet<Found['kind']> = new Set([
  'subpath_removed',
  'bin_removed',
  'default_export_changed',
  'esm_only',
  'engines_raised',
  'peer_raised',
  'peer_added',
]);

type Weighed = Pick<Found, 'kind' | 'name' | 'was' | 'rank'>;

export function weightOf(found: Weighed, mentioned: ReadonlySet<string>): number {
  const { kind, rank = kind === 'member_removed' ? RANK.member : RANK.call } = found;
  if (OF_ALL.has(kind)) return OF_PACKAGE;
  const base = BY_RANK[rank] ?? TYPE;
  return isMentioned(found, mentioned) ? base + MENTIONED : base;
}

// A name counts where it stands in code; of `Logger.child` both parts do, for `child` alone may be anything.
function isMentioned({ name }: Weighed, mentioned: ReadonlySet<string>): boolean {
  const parts = name.split('.');
  if (parts.length === 1) return mentioned.has(name);
  const [owner = '', last = ''] = parts.slice(-2);
  return mentioned.has(`${owner}.${last}`) || (mentioned.has(owner) && mentioned.has(`.${last}`));
}

// The same after more was read that may mention it.
export function isWeightOfMentioned(weight: number): boolean {
  return weight % 20 === MENTIONED;
}

// Types, and what is below them.
export function isWeightOfTypes(weight: number): boolean {
  return weight < TYPE + 20;
}

export function weightAfterNotes(weight: number, { name }: { name: string }, mentioned: ReadonlySet<string>): number {
  if (weight >= OF_PACKAGE || isWeightOfMentioned(weight)) return weight;
  const last = name.split('.').at(-1) ?? name;
  const isNamed = mentioned.has(name) || (name.includes('.') && mentioned.has(`.${last}`));
  return isNamed ? weight + MENTIONED : weight;
}

const MAX_TEXT_LENGTH = 200_000;
const MAX_CODE_LENGTH = 20_000;
const CODE = /```[^\n]*\n([\s\S]*?)(?:\n```|$)|`([^`\n]{1,200})`/g;
const NAME = /\.?[A-Za-z_$][\w$]*/g;

// The names in the code of a text: `zod`, and of `z.string()` also `.string` and `z.string`.
export function namesInCode(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, block, span] of text.slice(0, MAX_TEXT_LENGTH).matchAll(CODE)) {
    let before = '';
    for (const [name] of (block ?? span ?? '').slice(0, MAX_CODE_LENGTH).matchAll(NAME)) {
      names.add(name);
      if (name.startsWith('.')) {
        names.add(name.slice(1));
        if (before !== '') names.add(before + name);
      }
      before = name.replace(/^\./, '');
    }
  }
  return names;
}
