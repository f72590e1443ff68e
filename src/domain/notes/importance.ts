// The importance of a release on a scale of five.
import type { VersionStep } from '../versions/step.ts';
import { hasAdvisory } from './classify.ts';
import type { BreakingVerdict, Composition, Importance, NoteBody } from './types.ts';

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
