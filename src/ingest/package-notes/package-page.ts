// A package that no repository can be read of: a source on its page in the package registry, whose text is the changelog
// inside of its newest archive. The page itself is never fetched.
import type { Context } from '../../context.ts';
import { fileNameOf } from '../../domain/changelog/files.ts';
import { PARSER_VERSION } from '../../domain/changelog/parser-version.ts';
import { readDocument } from '../../threads/documents.ts';
import {
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type Item,
} from '../adapters/contract.ts';
import { memoryKey, recall, remember } from '../adapters/memory.ts';
import { emptyListing } from '../adapters/outcomes.ts';
import { addressOf, registryAddresses } from '../registries/addresses.ts';
import { fetchNotes } from './fetch-notes.ts';
import { archiveOfPage } from './listed-archives.ts';
import { GUIDE_ITEMS, PACKED_ITEMS, type packedItems } from './packed-items.ts';
import type { PackedFile } from './read-notes.ts';

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
  const { file = null, guides = [] } = notes;
  const named = registry === null ? { ecosystem: archive.ecosystem, name: archive.spelling } : null;
  const options = { named, names: input.names, now: adapterCtx.now };
  const items = file ? await itemsOf(file, options) : await guidedItems(guides, options);
  // A version without notes takes nothing away from what earlier ones have told.
  if (!file && items.length === 0) return adapterResult(adapterCtx, { ...emptyListing({ count: 0 }), memory });
  const place = { url: input.source.url, rawUrl: archive.url, startsAt: 0 };
  return adapterResult(adapterCtx, {
    outcome: 'success',
    items: items.slice(0, input.max ?? items.length),
    files: [...(file ? [file] : []), ...guides].map((one) => ({ ...place, ...one })),
    memory,
  });
}

type ItemOptions = Omit<Parameters<typeof packedItems>[0]['options'], 'path'>;

function itemsOf({ path, text }: PackedFile, options: ItemOptions): Promise<Item[]> {
  return readDocument(PACKED_ITEMS, { text, options: { path, ...options } }, text.length);
}

function guidedItems(files: readonly PackedFile[], { named, names }: ItemOptions): Promise<Item[]> {
  const guides = files.map(({ path, text }) => ({ text, names, filename: fileNameOf(path) }));
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  return readDocument(GUIDE_ITEMS, { guides, named }, size);
}
