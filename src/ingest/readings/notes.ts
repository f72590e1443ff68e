// Notes of a package: of its repository as a lookup finds it, and those inside of the package where the repository has none or
// is not asked.
import { type Context, queries } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { isPackagePage } from '../../domain/package-page.ts';
import { factsOf, readerOf } from '../../domain/source-types.ts';
import type { ReadingRow } from '../../store/schema/readings.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { createAdapterContext } from '../adapters/adapter-context.ts';
import { runNameLookup, storedPackageSource, visibilityOf } from '../lookups/by-name.ts';
import { withLookups } from '../lookups/outside.ts';
import { hasReleases, type LookupFinding } from '../lookups/run.ts';
import { refreshPackageNotes } from '../package-notes/refresh-notes.ts';
import { downloadRefusal } from './downloads.ts';
import type { PartResult, ReadingTools } from './parts.ts';

export async function readNotesOf(ctx: Context, row: ReadingRow, { signal, model }: ReadingTools): Promise<PartResult> {
  const lookups = withLookups({ ...ctx, caller: SYSTEM });
  const asked = { ...row, isPrivate: (await visibilityOf(lookups, row)) === 'private' };
  const stored = await storedPackageSource(lookups, asked);
  if (stored === 'hidden') return { state: 'off', text: 'Its notes are not shown here' };
  if (stored?.fetch_priority === 'paused') {
    if (!factsOf(readerOf(stored)).isRepository) return { state: 'nothing', text: 'No notes inside the package' };
    const { stored: files } = await refreshPackageNotes(ctx, createAdapterContext(ctx, { model, signal }), stored);
    return packed(files.length > 0);
  }
  if (stored && (await hasReleases(lookups, stored.id))) return packed(isPackagePage(stored));
  const refusal = await downloadRefusal(ctx, row);
  if (refusal !== null) return { state: 'failed', text: refusal };
  if (ctx.config.lookups.access === 'off') return { state: 'off', text: 'Notes are read of chosen sources alone' };
  try {
    return resultOf(await runNameLookup(lookups, asked), await storedPackageSource(lookups, asked));
  } catch (error) {
    if (error instanceof ApiError) return { state: 'failed', text: 'No more sources are read today' };
    throw error;
  }
}

function resultOf({ status }: LookupFinding, source: SourceRow | 'hidden' | null): PartResult {
  if (status === 'deferred') return { state: 'failed', text: 'Its notes could not be read now' };
  return packed(
    (status === 'indexed' || status === 'existing') && source !== null && source !== 'hidden' && isPackagePage(source),
  );
}

function packed(isFound: boolean): PartResult {
  return isFound
    ? { state: 'done', text: 'The notes inside the package are read' }
    : { state: 'nothing', text: 'No notes were taken from inside the package' };
}

// What came of the repository while notes were looked for.
export async function repositoryOf(ctx: Context, row: ReadingRow): Promise<PartResult> {
  const lookups = withLookups({ ...ctx, caller: SYSTEM });
  const asked = { ...row, isPrivate: (await visibilityOf(lookups, row)) === 'private' };
  const source = await storedPackageSource(lookups, asked);
  if (source === 'hidden') return { state: 'off', text: 'Its repository is not shown here' };
  if (source?.fetch_priority === 'paused') return { state: 'off', text: 'Its source is paused here' };
  if (source && !isPackagePage(source)) {
    return (await hasReleases(lookups, source.id))
      ? { state: 'done', text: 'The notes of its repository are read' }
      : { state: 'nothing', text: 'Its repository has no notes' };
  }
  if (ctx.config.lookups.access === 'off') return { state: 'off', text: 'Notes are read of chosen sources alone' };
  const state = await queries(ctx)
    .selectFrom('package_states')
    .select('repository')
    .where('ecosystem', '=', row.ecosystem)
    .where('name', '=', row.name)
    .executeTakeFirst();
  return state?.repository
    ? { state: 'failed', text: 'Its repository could not be read' }
    : { state: 'nothing', text: 'It names no repository' };
}
