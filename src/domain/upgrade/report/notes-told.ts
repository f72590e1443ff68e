// By whom the notes of a step were told, and why they were not: the line of a report on its notes, with numbers that add up.

// How far a check looks for notes that no server tells.
export const NOTES_FROM = ['repository', 'package', 'none'] as const;
export type NotesFrom = (typeof NOTES_FROM)[number];

const WHY_NO_NOTES = [
  // Its repository has none for these versions.
  'nothing',
  'no_repository',
  // The repository lies where nobody is asked.
  'other_host',
  // No public repository is at the address.
  'missing',
  'limited',
  'failed',
  // The package comes from a private registry.
  'private',
  // The package could not be read, so it is not known which repository it names.
  'not_read',
  'offline',
  'not_asked',
  'off',
] as const;
export type WhyNoNotes = (typeof WHY_NO_NOTES)[number];

export type NotesTold =
  | { by: 'server' | 'package' }
  | { by: 'repository'; host: string }
  | { by: null; why: WhyNoNotes; host?: string; reason?: string };

const WORDS: Record<WhyNoNotes, readonly [one: string, many: string]> = {
  nothing: ['its repository has none for these versions', 'their repositories have none for these versions'],
  no_repository: ['names no repository', 'name no repository'],
  other_host: ['its repository is at a host that is not asked', 'their repositories are at hosts that are not asked'],
  missing: ['no public repository is at its address', 'no public repository is at their address'],
  limited: ['could not be asked', 'could not be asked'],
  failed: ['could not be read', 'could not be read'],
  private: ['is private', 'are private'],
  not_read: [
    'was not compared, so its repository is not known',
    'were not compared, so their repositories are not known',
  ],
  offline: ['was not asked: offline', 'were not asked: offline'],
  not_asked: ['brings none along', 'bring none along'],
  off: ['was not looked at', 'were not looked at'],
};

// `22 of 33 read: 9 in the packages, 13 at github.com; 11 not: 8 name no repository, 3 could not be asked (…)`
export function notesWords(told: readonly NotesTold[], server: string | null): string {
  const read = told.filter(({ by }) => by !== null);
  const places = Map.groupBy(read, (one) => {
    if (one.by === 'repository') return `at ${one.host}`;
    return one.by === 'server' ? `at ${server ?? 'the server'}` : 'in the packages';
  });
  const parts = [...places].sort(([, one], [, other]) => other.length - one.length);
  const where = parts.map(([place, all]) => (parts.length === 1 ? place : `${all.length} ${place}`)).join(', ');
  const count = `${read.length} of ${told.length} read${where === '' ? '' : parts.length === 1 ? `, ${where}` : `: ${where}`}`;
  const reasons = WHY_NO_NOTES.flatMap((why) => {
    const all = told.filter((one) => one.by === null && one.why === why);
    return all.length === 0 ? [] : [`${all.length} ${WORDS[why][all.length === 1 ? 0 : 1]}${because(why, all)}`];
  });
  return reasons.length === 0 ? count : `${count}; ${told.length - read.length} not: ${reasons.join(', ')}`;
}

// What a host has said, each once.
function because(why: WhyNoNotes, all: readonly NotesTold[]): string {
  if (why !== 'limited' && why !== 'failed') return '';
  const reasons = new Set(all.flatMap((one) => (one.by === null && one.reason ? [one.reason] : [])));
  const [first, ...more] = reasons;
  if (first === undefined) return '';
  return ` (${first}${more.length > 0 ? `, and ${more.length} other ${more.length === 1 ? 'reason' : 'reasons'}` : ''})`;
}
