// The address of an upgrade, `9-to-10`: what its two sides mean, and how the same is written for good.
import { isBelow, readBound } from './bounds.ts';

type StepSide =
  | { kind: 'major'; major: string }
  | { kind: 'version'; version: string; key: string }
  | { kind: 'latest' };

interface StepAddress {
  from: Exclude<StepSide, { kind: 'latest' }>;
  to: StepSide;
}

const BETWEEN = '-to-';
const MAX_LENGTH = 200;

// Null for a text that is no such address, or that can be read in two ways.
export function readStepAddress(text: string): StepAddress | null {
  if (text.length > MAX_LENGTH) return null;
  const found: StepAddress[] = [];
  for (let at = text.indexOf(BETWEEN); at !== -1; at = text.indexOf(BETWEEN, at + 1)) {
    const [from, to] = [readSide(text.slice(0, at)), readSide(text.slice(at + BETWEEN.length))];
    if (from && to && from.kind !== 'latest') found.push({ from, to });
  }
  const [only, ...others] = found;
  return only && others.length === 0 ? only : null;
}

function readSide(text: string): StepSide | null {
  if (text === 'latest') return { kind: 'latest' };
  if (/^v?\d{1,9}$/i.test(text)) return { kind: 'major', major: String(Number(text.replace(/^v/i, ''))) };
  if (!/^v?\d/i.test(text) || /[\s/@]/.test(text)) return null;
  const { key, version } = readBound(text);
  return key === null ? null : { kind: 'version', version, key };
}

interface ListedVersion {
  version: string;
  key: string | null;
  prerelease: boolean;
  withdrawn: boolean;
}

export interface ResolvedStep {
  // What is compared; null where nothing is known of a line.
  from: string | null;
  to: string | null;
  // The same address as it is written; null for a line that does not exist in a listing.
  written: string;
  // Where search engines find the same answer.
  canonical: string;
  // How the ends are called: `8` or `8.0.11`.
  labels: { from: string; to: string };
}

// `falling`: the versions that are known, highest first; none for a package that nobody has read yet. `latest` is what its
// registry says, else the highest stable version.
export function resolveStep(
  { from, to }: StepAddress,
  falling: readonly ListedVersion[],
  latest: string | null,
): ResolvedStep | null {
  const [older, newer] = [resolveSide(from, falling, latest), resolveSide(to, falling, latest)];
  const isListed = falling.length > 0;
  if (isListed && (older.version === null || newer.version === null)) return null;
  const written = `${older.written}${BETWEEN}${newer.written}`;
  if (older.key !== null && newer.key !== null && isBelow(newer.key, older.key)) return null;
  const meant =
    older.version === null || newer.version === null
      ? written
      : meantBy(lineOf(older, falling), lineOf(newer, falling), `${older.exact}${BETWEEN}${newer.exact}`);
  return {
    from: older.version,
    to: newer.version,
    written,
    canonical: meant,
    labels: { from: older.written, to: newer.written === 'latest' ? (newer.version ?? 'latest') : newer.written },
  };
}

interface Side {
  version: string | null;
  key: string | null;
  written: string;
  exact: string;
}

function resolveSide(side: StepSide, falling: readonly ListedVersion[], latest: string | null): Side {
  if (side.kind === 'latest') {
    const found = falling.find(({ version }) => version === latest) ?? falling.find(isStanding) ?? falling[0];
    return {
      version: found?.version ?? null,
      key: found?.key ?? null,
      written: 'latest',
      exact: found?.version ?? 'latest',
    };
  }
  if (side.kind === 'major') {
    const found = newestOfLine(side.major, falling);
    return {
      version: found?.version ?? null,
      key: found?.key ?? null,
      written: side.major,
      exact: found?.version ?? side.major,
    };
  }
  const listed = falling.find(({ key }) => key === side.key);
  const version = listed?.version ?? side.version;
  return { version, key: side.key, written: version, exact: version };
}

function isStanding({ prerelease, withdrawn }: ListedVersion): boolean {
  return !prerelease && !withdrawn;
}

function majorOf(version: string): string {
  return /^\d+/.exec(version)?.[0] ?? '';
}

// The newest stable version of a line, else its newest one.
function newestOfLine(major: string, falling: readonly ListedVersion[]): ListedVersion | undefined {
  const line = falling.filter(({ version, key }) => key !== null && majorOf(version) === major);
  return line.find(isStanding) ?? line[0];
}

// The line of which a side is the newest version.
function lineOf({ version }: Side, falling: readonly ListedVersion[]): string | null {
  if (version === null) return null;
  const major = majorOf(version);
  return newestOfLine(major, falling)?.version === version ? major : null;
}

function meantBy(from: string | null, to: string | null, exact: string): string {
  return from !== null && to !== null && from !== to ? `${from}${BETWEEN}${to}` : exact;
}

// How a question about two versions is written; null where one side is no version, or where it does not go upwards.
export function stepAddressOf(from: string, to: string): string | null {
  const [older, newer] = [readSide(from.trim()), readSide(to.trim())];
  if (!older || !newer || older.kind === 'latest') return null;
  if (older.kind === 'version' && newer.kind === 'version' && !isBelow(older.key, newer.key)) return null;
  const side = (one: StepSide, text: string) =>
    // One number alone is a version in a question and a line in an address.
    one.kind === 'version' ? one.version : one.kind === 'latest' ? 'latest' : text.trim().replace(/^v/i, '');
  const address = `${side(older, from)}${BETWEEN}${side(newer, to)}`;
  return readStepAddress(address) === null ? null : address;
}

const LAST_STEPS = 3;

// The last steps between major lines among compared pairs, newest first; wider ones only where no narrower one ends there.
export function lastMajorSteps(pairs: readonly { from: string; to: string }[]): string[] {
  const lines = pairs
    .map(({ from, to }) => ({ from: Number(majorOf(from)), to: Number(majorOf(to)) }))
    .filter(({ from, to }) => from < to);
  const narrowest = new Map<number, number>();
  for (const { from, to } of lines) narrowest.set(to, Math.max(from, narrowest.get(to) ?? from));
  return [...narrowest]
    .sort(([one], [other]) => other - one)
    .slice(0, LAST_STEPS)
    .map(([to, from]) => `${from}${BETWEEN}${to}`);
}
