// What is told of one installed version that advisories cover: the smallest version that clears all of them, when the project's own
// rules take it, and what that step breaks. An advisory's text is a stranger's: here it is plain, whoever shows it escapes it.
import type { PackageName } from '../ecosystems/index.ts';
import { isBreak, type ReportRow } from '../upgrade/report/row.ts';
import { judgementWords, useWords } from '../upgrade/report/words.ts';
import type { AdvisoryProblem } from './named-problems.ts';

export interface AdvisedPackage extends PackageName {
  version: string;
  // Null where the files do not tell.
  direct: boolean | null;
  // Advisories under several names are one problem.
  problems: readonly AdvisoryProblem[];
  // Advisories whose ranges cannot be put in order with the version.
  undecided: readonly string[];
  smallest: string | null;
  smallestInLine: string | null;
  smallestOutOfCooldown: string | null;
  readyAt: string | null;
  // Why it is not known which versions there are.
  unlisted: string | null;
  // What the installer refuses, and how long the bot waits; null where nothing is set.
  cooldown: AdvisedCooldown | null;
  bot: AdvisedCooldown | null;
  // The step to the smallest version; null where there is none, or where it could not be looked at.
  step: ReportRow | null;
}

export interface AdvisedCooldown {
  // Null where the value cannot be read.
  minutes: number | null;
  from: string;
  fault: string | null;
  // The smallest version does not have to wait.
  isExcepted: boolean;
  readyAt: string | null;
}

const MAX_NAMED = 3;

// One sentence. It is no comfort: what was not looked at is said as not known.
export function advisedWords(advised: AdvisedPackage, now: Date): string {
  const { problems, undecided, smallest, smallestInLine, unlisted } = advised;
  const names = listed(problems.map(({ id }) => id));
  if (problems.length === 0) return `Whether ${listed(undecided)} covers it cannot be told.`;
  if (smallest === null && unlisted !== null) return `${names}: which version clears it is not known: ${unlisted}.`;
  if (smallest === null) return `${names}: no published version above it is clear.`;
  const parts = [
    `Fixes ${names}: ${smallest} is the smallest${smallestInLine === null ? ', on another line' : ''}`,
    ...cooldownWords(advised, now),
    ...botWords(advised, now),
    stepWords(advised.step),
  ];
  return `${parts.join('; ')}.`;
}

// What an answer on a version says of advisories where nothing is known of the reader's project; null where there is nothing to say.
export function coveredWords(
  of: Pick<AdvisedPackage, 'problems' | 'undecided' | 'smallest' | 'smallestInLine'> & { listed: boolean },
): string | null {
  const { problems, undecided, smallest, smallestInLine } = of;
  if (problems.length === 0)
    return undecided.length === 0 ? null : `Whether ${listed(undecided)} covers it cannot be told.`;
  const names = listed(problems.map(({ id }) => id));
  if (!of.listed) return `Covered by ${names}; which version clears it is not known.`;
  if (smallest === null) return `Covered by ${names}; no published version above it is clear.`;
  return `Covered by ${names}; ${smallest} is the smallest version that clears it${smallestInLine === null ? ', on another line' : ''}.`;
}

function listed(names: readonly string[]): string {
  const left = names.length - MAX_NAMED;
  if (left > 0) return `${names.slice(0, MAX_NAMED).join(', ')} and ${left} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function cooldownWords({ cooldown, readyAt, smallest, smallestOutOfCooldown }: AdvisedPackage, now: Date): string[] {
  if (cooldown === null || cooldown.minutes === 0) return [];
  const { minutes, fault, isExcepted } = cooldown;
  const rule = minutes === null ? 'your rule' : `your ${ageWords(minutes)} rule`;
  if (isExcepted) return [`${rule} is not for it`];
  if (fault !== null) return [`your rule cannot be read: ${fault}`];
  if (readyAt !== null) {
    const other = smallestOutOfCooldown === null ? '' : `, and ${smallestOutOfCooldown} now`;
    return [`${rule} allows it on ${dayWords(readyAt, now)}${other}`];
  }
  return smallestOutOfCooldown === smallest ? [`${rule} allows it`] : [`when ${rule} allows it is not known`];
}

function botWords({ bot }: AdvisedPackage, now: Date): string[] {
  if (bot === null) return [];
  if (bot.fault !== null) return [`how long Renovate waits cannot be read: ${bot.fault}`];
  return bot.readyAt === null ? [] : [`Renovate waits until ${dayWords(bot.readyAt, now)}`];
}

// `7-day`, `36-hour`
function ageWords(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440}-day`;
  return minutes % 60 === 0 ? `${minutes / 60}-hour` : `${Math.round(minutes)}-minute`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayWords(time: string, now: Date): string {
  const date = new Date(time);
  const year = date.getUTCFullYear() === now.getUTCFullYear() ? '' : ` ${date.getUTCFullYear()}`;
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}${year}`;
}

const UNTOUCHED: ReadonlySet<string | undefined> = new Set(['not_used', 'imported_not_used']);

// Nothing is said to leave the project alone unless all that changed was read, and looked for in the project's own code.
function stepWords(step: ReportRow | null): string {
  if (step === null || step.judgement === null || step.judgement === 'not_known') {
    return 'what else it changes is not known';
  }
  const { use, direct } = step;
  const isLookedFor = direct !== false && use?.unseen === undefined && use?.generated === undefined;
  if (isBreak(step) && isLookedFor && UNTOUCHED.has(use?.use)) return 'nothing you use changes';
  if (!isBreak(step)) return judgementWords(step);
  return `it ${judgementWords(step)}${use?.use === 'used' ? ` (${useWords(use)})` : ''}`;
}
