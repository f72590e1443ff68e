// A package that no repository can be read of: a source on its page in the package registry, whose text is the changelog
// inside of its newest archive. The page itself is never fetched.
import type { Context } from '../../context.ts';
import { PARSER_VERSION } from '../../domain/changelog/parser-version.ts';
import { readDocument } from '../../threads/documents.ts';
import { type AdapterContext, type AdapterInput, type AdapterResult, adapterResult } from '../adapters/contract.ts';
import { memoryKey, recall, remember } from '../adapters/memory.ts';
import { emptyListing } from '../adapters/outcomes.ts';
import { addressOf, registryAddresses } from '../registries/addresses.ts';
import { fetchNotes } from './fetch-notes.ts';
import { archiveOfPage } from './listed-archives.ts';
import { PACKED_ITEMS } from './packed-items.ts';

// The archive that was read last, and the parser of that time.
const READ = memoryKey<{ integrity: string | null; parser: number }>('package-notes');

export async function readPackagePage(
  ctx: Context,
  adapterCtx: AdapterContext,
  input: AdapterInput,
): Promise<AdapterResult> {
  const archive = await archiveOfPage(ctx, input.source.id);
  if (archive === null) {
    return adapterResult(adapterCtx, { outcome: 'unreachable', detail: 'the package registry lists no archive of it' });
  }
  const { integrity } = archive;
  const last = recall(input.memory, READ);
  if (last !== null && last.integrity === integrity && last.parser === PARSER_VERSION) {
    return adapterResult(adapterCtx, { outcome: 'no_change' });
  }
  const registry = archive.registry === null ? null : addressOf(await registryAddresses(ctx), archive);
  const notes = await fetchNotes(adapterCtx, archive, registry);
  if ('failure' in notes) return adapterResult(adapterCtx, notes.failure);
  if (notes.refused) return adapterResult(adapterCtx, { outcome: 'malformed', detail: notes.refused });
  const memory = remember(READ, { integrity, parser: PARSER_VERSION });
  // A version without notes takes nothing away from what earlier ones have told.
  if (!notes.file) return adapterResult(adapterCtx, { ...emptyListing({ count: 0 }), memory });
  const { path, text } = notes.file;
  const named = registry === null ? { ecosystem: archive.ecosystem, name: archive.spelling } : null;
  const place = { url: input.source.url, rawUrl: archive.url, startsAt: 0 };
  const options = { path, named, names: input.names, now: adapterCtx.now };
  const items = await readDocument(PACKED_ITEMS, { text, options }, text.length);
  return adapterResult(adapterCtx, {
    outcome: 'success',
    items: items.slice(0, input.max ?? items.length),
    files: [notes.file, ...notes.guides].map((file) => ({ ...place, ...file })),
    memory,
  });
}
