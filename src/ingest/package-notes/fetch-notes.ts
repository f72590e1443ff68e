// Downloads the archive of a published package and reads its changelog.
import { ARCHIVE_LIMITS } from '../../domain/archive/limits.ts';
import type { AdapterContext } from '../adapters/contract.ts';
import { type Failure, readableAnswer } from '../adapters/outcomes.ts';
import { archiveToken } from '../registries/addresses.ts';
import type { RegistryAddress } from '../registries/contract.ts';
import type { ListedArchive } from './listed-archives.ts';
import { type PackedNotes, readNotes } from './read-notes.ts';

type FetchedNotes = PackedNotes | { failure: Failure; file?: never; refused?: never };

// A large archive takes longer than a page.
const LIMITS = { maxBytes: ARCHIVE_LIMITS.packed, totalMs: 120_000 };

export async function fetchNotes(
  ctx: AdapterContext,
  { url, integrity }: Pick<ListedArchive, 'url' | 'integrity'>,
  registry: RegistryAddress | null = null,
): Promise<FetchedNotes> {
  // The archive is compressed itself, and its hash is that of the bytes as they are.
  const result = await ctx.fetch({ url, ...credentialsFor(url, registry), codings: 'identity' });
  if (!result.ok && result.failure === 'too_large') return { refused: 'the archive is above 200 MB' };
  const answer = readableAnswer(result, ctx.now);
  if ('outcome' in answer) return { failure: answer };
  return readNotes(new Uint8Array(answer.body), integrity);
}

// The token of a private registry goes to that registry alone, and along no redirect.
function credentialsFor(url: string, registry: RegistryAddress | null) {
  const token = registry && archiveToken(registry, url);
  if (token === null) return { limits: LIMITS };
  return { headers: { authorization: `Bearer ${token}` }, limits: { ...LIMITS, maxRedirects: 0 } };
}
