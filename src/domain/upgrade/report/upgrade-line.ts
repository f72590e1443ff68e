// One line on an upgrade for lists of many: what it comes to, and in a few words why.
import type { BreakingVerdict } from '../../notes/types.ts';
import { type AnsweredUpgrade, levelOf, shownRisk } from './answer.ts';
import { reasonOf } from './reasons.ts';

interface UpgradeLine {
  level: BreakingVerdict;
  reason: string;
}

const MAX_WORDS = 110;
const SHORT = 70;

export function upgradeLine(answer: AnsweredUpgrade): UpgradeLine {
  const level = levelOf(answer);
  const told = level === 'major' || level === 'minor' ? stepWords(answer) : null;
  return { level, reason: told ?? cutWords(plainWords(reasonOf(answer, shownRisk(answer)))) };
}

// The shortest of the first steps say most in a line.
function stepWords({ steps = [] }: AnsweredUpgrade): string | null {
  const sentences = [...new Set(steps.slice(0, 8).map(({ text }) => plainWords(text)))].filter((text) => text !== '');
  const short = sentences.filter(({ length }) => length <= SHORT);
  const [first, second] = short.length > 0 ? short : sentences;
  if (first === undefined) return null;
  if (second === undefined || first.length + second.length + 5 > MAX_WORDS) return cutWords(first);
  return `${first}, and ${/^[A-Z][a-z]+ [a-z]/.test(second) ? second.charAt(0).toLowerCase() + second.slice(1) : second}`;
}

// The first sentence, without the signs of markdown and without its end.
function plainWords(text: string): string {
  const plain = text
    .slice(0, 1000)
    .replaceAll(/[`*]|\[|\]\([^)\s]{0,300}\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (/^.{12,}?[.;:](?=\s)/.exec(plain)?.[0] ?? plain).replace(/[.;:,]+$/, '');
}

function cutWords(text: string): string {
  if (text.length <= MAX_WORDS) return text;
  const cut = text.slice(0, MAX_WORDS - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_WORDS / 2)).replace(/[\s,;:(]+$/, '')}…`;
}

const VERBS: Record<BreakingVerdict, string> = {
  major: 'breaks',
  minor: 'may break',
  none: 'shows no sign of a break',
  unknown: 'is not known',
};

// The whole sentence: `zod 3 → 4 breaks: …`.
export function upgradeSentence(name: string, { from, to }: { from: string; to: string }, line: UpgradeLine): string {
  const [start, end] = shortRange(from, to);
  const why = line.level === 'none' || line.reason === '' ? '' : `: ${asContinuation(line.reason)}`;
  return `${name} ${start} → ${end} ${VERBS[line.level]}${why}`;
}

// A name such as `Node.js`, `TypeScript` or `ESM` keeps its capital letter.
function asContinuation(reason: string): string {
  return /^(?:The|A|An|It|Its|No|Only|Stored|Several|Nothing|Fixes|Has) /.test(reason)
    ? reason.charAt(0).toLowerCase() + reason.slice(1)
    : reason;
}

// The numbers of two major versions alone, where they differ.
export function shortRange(from: string, to: string): [string, string] {
  const [start, end] = [from, to].map((version) => /^v?([1-9]\d*)(?:\.\d+){0,2}$/.exec(version)?.[1]);
  return start && end && start !== end ? [start, end] : [from, to];
}
