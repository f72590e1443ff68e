// What two published versions of a package show, from the cache where it is known. A result is kept by the hashes of both
// archives and the version of the rules; what stood beside them was the newest of its day, so it is looked at again some time.
import type { Finding } from '../../domain/evidence/finding.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { RULES_VERSION as NOTES_VERSION } from '../../domain/notes/rules-version.ts';
import type { EvidenceState } from '../../domain/upgrade/judgement.ts';
import { compareOnThread } from '../../threads/evidence.ts';
import type { CheckCache } from '../cache.ts';
import { type NamedRepository, packedNotes, READING_VERSION } from '../notes/packed-notes.ts';
import type { PackedNote } from '../notes/text-notes.ts';
import { NotTold, type PackageSource } from '../packages/source.ts';
import { gatherPair, type NamedPair, TooLarge } from './gather.ts';

export interface PairEvidence {
  status: EvidenceState;
  // Why nothing was compared.
  reason: string | null;
  findings: readonly Finding[];
  more: number;
  counts: { proven: number; likely: number };
  notes: readonly PackedNote[];
  // Where the new version says that it is developed.
  repository: NamedRepository | null;
  // The changelog that the old version brings along, where the new one has none.
  changelogName: string | null;
  // The host that could not be asked for an archive.
  failedHost?: string;
}

interface StoredPair {
  at: number;
  evidence: PairEvidence;
}

const PAIRS = 'pairs-2';
const KEPT_MS = 30 * 86_400_000;

interface PairTools {
  source: PackageSource;
  cache: CheckCache;
  signal: AbortSignal;
}

function pairKey({ ecosystem, name, from, to, isPublic }: NamedPair): string {
  return [RULES_VERSION, NOTES_VERSION, READING_VERSION, ecosystem, name, isPublic, from.integrity, to.integrity].join(
    '\n',
  );
}

export function storedPair(cache: CheckCache, pair: NamedPair): PairEvidence | null {
  if (!pair.from.integrity || !pair.to.integrity) return null;
  const stored = cache.read<StoredPair>(PAIRS, pairKey(pair));
  return stored && Date.now() - stored.at < KEPT_MS ? stored.evidence : null;
}

export async function comparePair({ source, cache, signal }: PairTools, pair: NamedPair): Promise<PairEvidence> {
  const known = storedPair(cache, pair);
  if (known) return known;
  const evidence = await compared({ source, cache, signal }, pair);
  // What could not be had may be had another time.
  if (evidence.status !== 'not_available') {
    cache.write(PAIRS, pairKey(pair), { at: Date.now(), evidence } satisfies StoredPair);
  }
  return evidence;
}

async function compared({ source, signal }: PairTools, pair: NamedPair): Promise<PairEvidence> {
  try {
    const { old, next } = await gatherPair(source, pair);
    const question = { archive: next.archive, name: pair.name, from: pair.from.version, to: pair.to.version };
    const { changelogName, ...read } = await packedNotes(question, signal);
    const dropped = changelogName === null ? await packedNotes({ ...question, archive: old.archive }, signal) : null;
    const packed = { ...read, changelogName: changelogName ?? dropped?.changelogName ?? null };
    const result = await compareOnThread({ old, next }, { signal });
    if (result.kind === 'refused') return { ...nothingSeen('not_available', result.reason), ...packed };
    if (result.kind === 'too_large') return { ...nothingSeen('too_large', result.reason), ...packed };
    const { types, findings, more, counts } = result.evidence;
    return { status: types === 'none' ? 'no_types' : 'compared', reason: null, findings, more, counts, ...packed };
  } catch (error) {
    if (error instanceof TooLarge) return nothingSeen('too_large', error.message);
    if (error instanceof NotTold) {
      return { ...nothingSeen('not_available', error.message), ...(error.host ? { failedHost: error.host } : {}) };
    }
    throw error;
  }
}

export function nothingSeen(status: EvidenceState, reason: string | null): PairEvidence {
  const counts = { proven: 0, likely: 0 };
  return { status, reason, findings: [], more: 0, counts, notes: [], repository: null, changelogName: null };
}
