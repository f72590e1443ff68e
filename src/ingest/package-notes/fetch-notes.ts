// Downloads the archive of a published package and reads its changelog.
import { ARCHIVE_LIMITS } from '../../domain/archive/limits.ts';
import type { AdapterContext } from '../adapters/contract.ts';
import { type Failure, readableAnswer } from '../adapters/outcomes.ts';
import type { ListedArchive } from './listed-archives.ts';
import { type PackedNotes, readNotes } from './read-notes.ts';

type FetchedNotes = PackedNotes | { failure: Failure; file?: never; refused?: never };

// A large archive takes longer than a page.
const LIMITS = { maxBytes: ARCHIVE_LIMITS.packed, totalMs: 120_000 };

export async function fetchNotes(
  ctx: AdapterContext,
  { url, integrity }: Pick<ListedArchive, 'url' | 'integrity'>,
): Promise<FetchedNotes> {
  // The archive is compressed itself, and its digest is that of the bytes as they are.
  const result = await ctx.fetch({ url, limits: LIMITS, codings: 'identity' });
  if (!result.ok && result.failure === 'too_large') return { refused: 'the archive is above 200 MB' };
  const answer = readableAnswer(result, ctx.now);
  if ('outcome' in answer) return { failure: answer };
  return readNotes(new Uint8Array(answer.body), integrity);
}
