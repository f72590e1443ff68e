// How weighty a release and its entries are: its importance on a scale of five, the kinds of changes it counts, whether it
// repairs a security problem, and the order of its entries.
import type { VersionStep } from '../versions/parse.ts';
import type { BreakingEvidence } from './breaking.ts';
import { hasAdvisory } from './classify.ts';
import type { BreakingVerdict, Composition, Importance, NoteBody, NoteClass, NoteItem, NoteSection } from './types.ts';

const ALARM =
  /\b(?:security release|actively exploited|data loss(?<!\b(?:no|not|without|zero) (?:\w{1,20} )?data loss))\b/i;
const LAUNCH = /\b(?:introducing|announcing|launch(?:es|ed|ing)?|general availability|now available)\b/i;
const LAUNCH_ORIGINS = new Set(['feed', 'page', 'video']);

const LONG_BODY = 1500;
const LAUNCH_BODY = 400;
const MANY_FEATURES = 3;
const MANY_ENTRIES = 10;

type ImportanceInput = {
  title: string;
  body: NoteBody;
  breaking: BreakingVerdict;
  composition: Composition | null;
  version: string | null;
  versionNumbers: readonly string[];
  step: VersionStep | null;
  prerelease: boolean;
  type: 'feature' | 'rollup';
  origin: string;
};

// 5 for what no user should miss, 1 for what hardly any user notices, null when no entry was recognised.
export function importance(input: ImportanceInput): Importance {
  if (input.body.content.trim() === '') return null;
  const value = stableImportance(input);
  if (value === null || !input.prerelease) return value;
  return Math.max(1, Math.min(3, value - 1)) as Importance;
}

function stableImportance(input: ImportanceInput): Importance {
  const { body, breaking, composition, step, title } = input;
  const features = composition?.features ?? 0;
  const size = body.content.trim().length;
  const majorStep = step === 'major' || (step !== null && isFirstStable(input.versionNumbers));
  if (majorStep && !input.prerelease && (features >= MANY_FEATURES || size >= LONG_BODY)) return 5;
  if (breaking === 'major' || majorStep) return 4;
  if (hasAdvisory(title) || hasAdvisory(body.content) || ALARM.test(title) || ALARM.test(body.content)) return 4;
  if (LAUNCH.test(title) && LAUNCH_ORIGINS.has(input.origin) && size >= LAUNCH_BODY) return 4;
  if (input.type === 'rollup' && body.items.length >= MANY_ENTRIES) return 4;
  if (features >= 1 && (step === 'minor' || input.version === null)) return 3;
  if (features >= MANY_FEATURES || breaking === 'minor') return 3;
  if (composition) return 2;
  return body.items.some((item) => item.class === 'other' || item.boilerplate) ? 1 : null;
}

// 1.0.0, 1.0 or 1, which is a major step even where no lower version is known.
function isFirstStable(numbers: readonly string[]): boolean {
  return Number(numbers[0]) === 1 && numbers.slice(1).every((number) => Number(number) === 0);
}

// Which kind of change an entry of each class counts as.
const COUNTED: Readonly<Partial<Record<NoteClass, keyof Composition>>> = {
  features: 'features',
  bugs: 'bugs',
  security: 'bugs',
  enhancements: 'enhancements',
  deprecated: 'enhancements',
  removed: 'enhancements',
};

// Null when no entry has a class that counts.
export function composition(items: readonly NoteItem[]): Composition | null {
  const counts: Composition = { bugs: 0, features: 0, enhancements: 0 };
  let total = 0;
  for (const item of items) {
    const key = countedAs(item);
    if (!key) continue;
    counts[key] += 1;
    total += 1;
  }
  return total > 0 ? counts : null;
}

function countedAs(item: NoteItem): keyof Composition | undefined {
  if (item.class === 'breaking') return (item.own && COUNTED[item.own]) || 'enhancements';
  return item.class ? COUNTED[item.class] : undefined;
}

const SAID = /\bsecurity (?:fix(?:es)?|update|release|patch|advisory|hotfix)\b/i;

// Whether a release repairs a security problem: an entry of that class, an advisory id, or a title that says so.
export function isSecurityRelease(title: string, { content, items, asides }: NoteBody): boolean {
  if (hasAdvisory(title) || hasAdvisory(content) || SAID.test(title)) return true;
  return (
    items.some((item) => item.class === 'security' || isAbout(item.section)) ||
    asides.some((one) => isAbout(one.section))
  );
}

function isAbout(section: NoteSection | null): boolean {
  return section !== null && section.class === 'security' && !section.skipped;
}

const ORDER: readonly (NoteClass | null)[] = [
  'breaking',
  'removed',
  'security',
  'deprecated',
  'features',
  'bugs',
  'enhancements',
];

// The entries that have a class, the most important class first, in the order of the body within a class.
export function rankItems(items: readonly NoteItem[], evidence: BreakingEvidence): NoteItem[] {
  const { breaks } = evidence;
  const ranks: NoteItem[][] = ORDER.map(() => []);
  for (const item of items) {
    const inBreakingSection = item.section?.class === 'breaking' || item.section?.class === 'removed';
    const name =
      inBreakingSection && item.class !== 'breaking'
        ? (item.section?.class ?? null)
        : breaks.has(item) && item.class !== 'breaking'
          ? 'removed'
          : item.class;
    if (name !== null) ranks[ORDER.indexOf(name)]?.push(item);
  }
  const ranked: NoteItem[] = [];
  for (const rank of ranks) for (const item of rank) ranked.push(item);
  return ranked;
}
