// What one step of the notes asks for: its kind, and the names by which it is known again in another release.
import { type Floor, floorOf } from './floor.ts';

export const STEP_KINDS = ['runtime', 'peer', 'rename', 'removal', 'option', 'codemod', 'manual'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface ReadStep {
  kind: StepKind;
  text: string;
  floor: Floor | null;
  // A rename: the old name and the new one.
  names: { from: string; to: string } | null;
  // A removal: what is gone.
  removed: readonly string[];
}

const NAME = '`([^`]{1,120})`';
const GAP = '[^`]{0,60}?';
const RENAMES: readonly [pattern: RegExp, from: 1 | 2][] = [
  [
    new RegExp(String.raw`\brenam(?:e[ds]?|ing)\b${GAP}${NAME}${GAP}(?:\b(?:to|as|into)\b|→|[-=]>)${GAP}${NAME}`, 'i'),
    1,
  ],
  [new RegExp(String.raw`${NAME}${GAP}\b(?:renamed|called|named)\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`${NAME}\s*(?:→|➜|[-=]>)\s*${NAME}`), 1],
  [new RegExp(String.raw`\breplac(?:e[ds]?|ing)\b${GAP}${NAME}${GAP}\b(?:with|by)\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`${NAME}${GAP}\breplaced (?:with|by)\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`\buse\b${GAP}${NAME}${GAP}\b(?:instead of|in place of|rather than)\b${GAP}${NAME}`, 'i'), 2],
  [new RegExp(String.raw`\binstead of\b${GAP}${NAME}${GAP}\buse\b${GAP}${NAME}`, 'i'), 1],
  [new RegExp(String.raw`\bchang(?:e[ds]?|ing)\b${GAP}${NAME} to ${NAME}`, 'i'), 1],
];
const REMOVED =
  /\b(?:remov(?:e[ds]?|al|ing)|delet(?:e[ds]?|ing)|drop(?:s|ped|ping)?|gone|no longer (?:exists?|exported|available|supported|provided|included|accepted|part)|discontinued)\b/i;
const CODEMOD =
  /\bcodemods?\b|\bjscodeshift\b|\bng update\b|\bautomatic(?:ally)? (?:migrat|fix|updat)|`[^`]*\b(?:migrate|codemod|upgrade)\b[^`]*`/i;
const RUN = /\brun(?:s|ning)?\b|\bnpx\b|\bcodemods?\b|\bng update\b|\bjscodeshift\b/i;
const PLATFORM =
  /\b(?:IE ?\d*|internet explorer|safari|chrome|firefox|edge|browsers?|windows|macos|linux|android|ios|es5|es20\d\d|node(?:\.?js)?|python|php|ruby|java|deno|bun)\b/i;
const PLATFORM_CHANGE = /\b(?:drop(?:s|ped|ping)?|supports?|supported|requires?|required|minimum|targets?)\b/i;
const PEER = /\bpeer[\s-]?dep/i;
const OPTION =
  /\b(?:options?|flags?|settings?|config(?:uration)?s?|defaults?|parameters?|environment variables?|env vars?|properties|property|props?)\b|`--?[a-z]/i;

export function readStep(text: string): ReadStep {
  const step = { text, floor: null, names: null, removed: [] };
  if (CODEMOD.test(text) && RUN.test(text)) return { ...step, kind: 'codemod' };
  const floor = floorOf(text);
  if (floor) return { ...step, kind: PEER.test(text) ? 'peer' : floor.kind, floor };
  if (PEER.test(text)) return { ...step, kind: 'peer' };
  const isRemoved = REMOVED.test(text);
  const names = renameIn(text);
  if (names && !isRemoved) return { ...step, kind: 'rename', names };
  if (isRemoved && !text.includes('`') && PLATFORM.test(text)) return { ...step, kind: 'runtime' };
  if (isRemoved) return { ...step, kind: 'removal', removed: removedIn(text) };
  if (PLATFORM_CHANGE.test(text) && PLATFORM.test(text) && !text.includes('`')) return { ...step, kind: 'runtime' };
  return { ...step, kind: OPTION.test(text) ? 'option' : 'manual' };
}

function renameIn(text: string): ReadStep['names'] {
  for (const [pattern, from] of RENAMES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const [one, other] = [bareName(match[1] ?? ''), bareName(match[2] ?? '')];
    if (one === other) continue;
    return from === 1 ? { from: one, to: other } : { from: other, to: one };
  }
  return null;
}

const REPLACEMENT = /\b(?:use|instead|in favou?r of|replaced|migrate to|switch to|prefer)\b/i;

// The names before the replacement, which is not gone. "Use `b` instead of the removed `a`" names it first.
function removedIn(text: string): string[] {
  const instead = /^\W*(?:please )?use\b.*?\binstead of\b/i.exec(text);
  const rest = instead ? text.slice(instead[0].length) : text;
  const end = rest.search(REPLACEMENT);
  const told = codeNames(end === -1 ? rest : rest.slice(0, end));
  return told.length > 0 ? told : codeNames(rest);
}

function codeNames(text: string): string[] {
  return [...new Set([...text.matchAll(/`([^`]{1,120})`/g)].map((match) => bareName(match[1] ?? '')))];
}

// A name without call, arguments and quotes: `new Pool(options)` is `Pool`.
export function bareName(code: string): string {
  return code
    .trim()
    .replace(/^new\s+/, '')
    .replace(/\(.*$/s, '')
    .replaceAll(/^["']|["';]$/g, '')
    .trim();
}
