// Imports a package of which only the repository is known: its source and its entry in the package map.
import { putPackage } from '../../catalog/packages/put.ts';
import { countOutsideText } from '../../catalog/registry/count-outside-text.ts';
import { type Context, transact, type WriteContext } from '../../context.ts';
import type { OutsideText } from '../../domain/changelog/types.ts';
import { type AssignedSource, assignPackage } from './assign.ts';
import type { ImportHints, SourceDescription } from './describe.ts';

export interface SourceToImport {
  described: SourceDescription;
  // The import has other packages of the same repository.
  isShared: boolean;
  given: ImportHints;
  // Also polls the source, if it has never been read.
  track: boolean;
  // Also writes into a source that is fetched from elsewhere.
  intoFetched: boolean;
}

interface AssignedPackage extends AssignedSource {
  // What the versions of the package begin with in a repository of several packages.
  part: string | null;
  isShared: boolean;
}

// `outside` is the text of a file without entries, if there is one.
export function importSource(
  ctx: Context,
  requested: SourceToImport & { outside: OutsideText },
): Promise<AssignedPackage> {
  return transact(ctx, async (ctx) => {
    const assigned = await assignToRepository(ctx, requested);
    if (assigned.isKept) return assigned;
    await mapPackage(ctx, requested.described, assigned);
    if (assigned.isNew) await countOutsideText(ctx, requested.outside);
    return assigned;
  });
}

export async function assignToRepository(ctx: WriteContext, requested: SourceToImport): Promise<AssignedPackage> {
  const { described, given, track, intoFetched } = requested;
  const assigned = await assignPackage(ctx, { described, given, track, intoFetched });
  const directory = described.type === 'github' ? described.repository.directory : null;
  const isShared = requested.isShared || Boolean(directory) || (await hasOtherPackages(ctx, assigned, described));
  return { ...assigned, isShared, part: partOf(assigned, described, isShared) };
}

export async function mapPackage(
  ctx: WriteContext,
  { npm }: SourceDescription,
  { sourceInOrg, mapped, part }: AssignedPackage,
): Promise<void> {
  if (npm === null || mapped !== null) return;
  const entry = { ecosystem: 'npm', name: npm, sourceId: sourceInOrg.source.id, packagePart: part } as const;
  await putPackage(ctx, { ...entry, origin: 'ingest' });
}

// A stored part is reused: another one would create other releases from the same entries.
function partOf(
  { sourceInOrg, mapped }: AssignedSource,
  { packageName }: SourceDescription,
  isShared: boolean,
): string | null {
  if (mapped?.source_id === sourceInOrg.source.id) return mapped.package_part;
  return isShared ? packageName : null;
}

async function hasOtherPackages(
  ctx: WriteContext,
  { sourceInOrg, mapped }: AssignedSource,
  described: SourceDescription,
) {
  if (described.type !== 'github') return false;
  const other = await ctx.tx
    .selectFrom('packages')
    .select('id')
    .where('source_id', '=', sourceInOrg.source.id)
    .where('id', '<>', mapped?.id ?? '')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
