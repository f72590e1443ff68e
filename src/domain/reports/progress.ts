// How far the packages of a list are read: a report or a stack.

interface ListedPackage {
  name: string;
  judgedAt: string | null;
  // What is being read for it; null: nothing.
  reading: RowReading | null;
  refusedUntil: string | null;
}

export type RowReading = 'waiting' | 'running' | 'refused';

interface Progress {
  of: number;
  known: number;
  reading: number;
  unseen: number;
  refused: number;
  now: string[];
  retryAt: string | null;
}

const MAX_NAMED = 3;

export function progressOf(packages: readonly ListedPackage[]): Progress {
  const read = { of: packages.length, known: 0, reading: 0, unseen: 0, refused: 0 };
  const now = new Set<string>();
  let retryAt: string | null = null;
  for (const { name, judgedAt, reading, refusedUntil } of packages) {
    if (reading === 'running' && now.size < MAX_NAMED) now.add(name);
    if (judgedAt === null) read.unseen += 1;
    else if (reading === 'waiting' || reading === 'running') read.reading += 1;
    else if (reading === 'refused') {
      read.refused += 1;
      if (refusedUntil !== null && (retryAt === null || refusedUntil < retryAt)) retryAt = refusedUntil;
    } else read.known += 1;
  }
  return { ...read, now: [...now], retryAt };
}

// Whether it becomes more by itself.
export function isFilling({ reading, unseen }: Pick<Progress, 'reading' | 'unseen'>): boolean {
  return reading + unseen > 0;
}

export function progressWords({ of, reading, unseen, refused, now }: Progress): string[] {
  const open = reading + unseen;
  const count = (number: number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return [
    open > 0 ? `${count(of - open - refused)} of ${count(of)} are read, direct dependencies first.` : '',
    now.length > 0 ? `Now: ${now.join(', ')}.` : '',
    refused > 0
      ? `${count(refused)} ${refused === 1 ? 'is' : 'are'} not read yet, because the limit of readings is reached.`
      : '',
  ].filter(Boolean);
}
