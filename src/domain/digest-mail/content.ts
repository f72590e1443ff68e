// What a digest tells: breaks and security fixes first, then what may break, then the rest in short.

import type { Judgement } from '../upgrade/judgement.ts';
import { JUDGEMENT_WORDS } from '../upgrade/verdict-words.ts';

const MAX_ROWS = 60;

export interface DigestRow {
  package: string;
  from: string;
  to: string;
  judgement: Judgement;
  security: boolean;
  reason: string;
  undocumented: boolean;
  steps: number;
  stacks: string[];
  url: string;
}

export interface FollowedRelease {
  title: string;
  version: string | null;
  // Whose release it is.
  from: string;
  breaks: boolean;
  security: boolean;
  url: string;
}

export interface DigestInfo {
  siteName: string;
  // When the digest before it was made, and this one.
  since: Date;
  until: Date;
  zone: string;
  cadence: 'daily' | 'weekly';
  // How often it comes, as in "Mondays at 08:00".
  times: string;
  packages: number;
  stacks: string[];
  rows: DigestRow[];
  followed: FollowedRelease[];
  links: { stack: string | null; stacks: string; following: string; settings: string; off: string };
}

interface DigestSections {
  urgent: DigestRow[];
  urgentReleases: FollowedRelease[];
  mayBreak: DigestRow[];
  others: DigestRow[];
  // How many packages of stacks did not fit; releases are counted with what is followed.
  omitted: number;
}

// At most sixty rows, the worst first.
export function sectionsOf({ rows, followed }: DigestInfo): DigestSections {
  const isUrgent = ({ judgement, security }: DigestRow) => judgement === 'breaks' || security;
  let room = MAX_ROWS;
  const take = <T>(list: readonly T[]): T[] => {
    const taken = list.slice(0, room);
    room -= taken.length;
    return taken;
  };
  const urgentAll = rows
    .filter(isUrgent)
    .sort((a, b) => Number(b.judgement === 'breaks') - Number(a.judgement === 'breaks'));
  const releasesAll = followed.filter(({ breaks, security }) => breaks || security);
  const mayAll = rows.filter((row) => !isUrgent(row) && row.judgement === 'may_break');
  const othersAll = rows.filter((row) => !isUrgent(row) && row.judgement !== 'may_break');
  const urgent = take(urgentAll);
  const urgentReleases = take(releasesAll);
  const mayBreak = take(mayAll);
  const others = take(othersAll);
  const omitted = rows.length - urgent.length - mayBreak.length - others.length;
  return { urgent, urgentReleases, mayBreak, others, omitted };
}

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

// The subject is the answer.
export function subjectOf({ rows, followed, stacks }: DigestInfo): string {
  const breaks = rows.filter(({ judgement }) => judgement === 'breaks');
  const security =
    rows.filter((row) => row.security && row.judgement !== 'breaks').length +
    followed.filter((one) => one.security).length;
  const may = rows.filter(({ judgement }) => judgement === 'may_break');
  const where = (list: readonly DigestRow[]) => {
    const names = new Set(list.flatMap((row) => row.stacks));
    return names.size === 1 ? [...names][0] : 'your stacks';
  };
  const fixes = security > 0 ? counted(security, 'security fix', 'security fixes') : '';
  if (breaks.length > 0) {
    const words = `${counted(breaks.length, 'update breaks', 'updates break')} ${where(breaks)}`;
    return fixes ? `${words}, ${fixes}` : words;
  }
  const broken = followed.filter((one) => one.breaks).length;
  if (broken > 0) return `${counted(broken, 'release breaks', 'releases break')}${fixes ? `, ${fixes}` : ''}`;
  if (fixes) return stacks.length > 0 && rows.length > 0 ? `${fixes} for ${where(rows)}` : fixes;
  if (may.length > 0) return `${counted(may.length, 'update', 'updates')} may break ${where(may)}`;
  if (rows.length > 0) return `${counted(rows.length, 'update')} for ${where(rows)}`;
  return `${counted(followed.length, 'release')} from what you follow`;
}

export function ledeOf({ rows, packages, stacks, followed, since, zone }: DigestInfo): string {
  const day = since.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: zone });
  const updated = new Set(rows.map((row) => `${row.package}\n${row.from}`)).size;
  const stacked =
    stacks.length === 0
      ? ''
      : `${updated.toLocaleString('en-US')} of the ${counted(packages, 'package')} in your ${stacks.length === 1 ? 'stack' : `${stacks.length} stacks`} ${updated === 1 ? 'has a newer version' : 'have newer versions'} since ${day}`;
  const told = followed.length === 0 ? '' : `${counted(followed.length, 'release')} came from what you follow`;
  return `${[stacked, told].filter(Boolean).join(', and ')}.`;
}

// "14 releases, none that breaks by its notes: Reedbank 6, Osierframe 5".
export function followedLine({ followed }: DigestInfo): string {
  const by = [...Map.groupBy(followed, ({ from }) => from)].sort((a, b) => b[1].length - a[1].length);
  const names = by.slice(0, 12).map(([from, list]) => `${from} ${list.length}`);
  const breaking = followed.filter(({ breaks }) => breaks).length;
  const words =
    breaking === 0 ? 'none that breaks by its notes' : `${breaking} that ${breaking === 1 ? 'breaks' : 'break'}`;
  const more = by.length > names.length ? `, ${by.length - names.length} more` : '';
  return `${counted(followed.length, 'release')}, ${words}: ${names.join(', ')}${more}`;
}

export function periodOf({ since, until, zone, cadence }: DigestInfo): string {
  const long = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric', month: 'long', year: 'numeric' });
  return cadence === 'daily' ? long.format(until) : `${long.format(since)} to ${long.format(until)}`;
}

export function omittedWords(omitted: number, { stacks }: DigestInfo): string {
  return `And ${omitted.toLocaleString('en-US')} more in your ${stacks.length === 1 ? 'stack' : 'stacks'}`;
}

export function rowWord({ judgement, security }: DigestRow): string {
  if (judgement === 'breaks') return JUDGEMENT_WORDS.breaks;
  return security ? 'Security' : JUDGEMENT_WORDS.may_break;
}

// What breaks it, and that nobody wrote it down where that is so.
export function rowReason({ reason, undocumented, security, judgement }: DigestRow): string {
  const text = reason.replaceAll(/\s+/g, ' ').trim().slice(0, 240).toWellFormed();
  const silent = undocumented ? ' The notes do not mention it; seen in the package.' : '';
  const calm = security && judgement === 'no_sign' ? ` ${JUDGEMENT_WORDS.no_sign}.` : '';
  return `${text}${text && !/[.!?…]$/.test(text) ? '.' : ''}${silent}${calm}`.trim();
}

export function rowFoot({ steps, stacks }: DigestRow): string {
  return [steps > 0 ? counted(steps, 'step') : '', stacks.join(', ')].filter(Boolean).join(', ');
}

export function whyWords({ cadence, times }: DigestInfo): string {
  const [mail, span] = cadence === 'weekly' ? ['weekly', 'Weeks'] : ['daily', 'Days'];
  return `Sent ${times}, because you switched on the ${mail} mail. ${span} without news send nothing.`;
}
