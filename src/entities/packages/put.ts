import { sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { PackageEntry, PackageInput } from '../../contract/package.ts';
import { newId } from '../../domain/ids.ts';
import { normalizePackageName } from '../../domain/published-package.ts';
import type { PackageRow } from '../../store/schema/repositories.ts';
import { recordAudit } from '../audit.ts';
import { resolveSource } from '../resolve.ts';
import { askAboutMappedAgain } from './ask-again.ts';
import { PACKAGE_COLUMNS, packageRows, toPackageEntry } from './list.ts';
import { noteSpelling } from './spelling.ts';

interface PutPackage extends PackageInput {
  // Ingest never replaces an entry that an operator wrote.
  origin?: 'operator' | 'ingest';
}

interface PackageWritten {
  entry: PackageEntry;
  created: boolean;
}

// A name belongs to one source: an existing entry is replaced and keeps its id.
export async function putPackage(ctx: Context, input: PutPackage): Promise<PackageWritten> {
  const name = normalizePackageName(input.ecosystem, input.name);
  return transact(ctx, async (ctx) => {
    const { source } = await resolveSource(ctx, { src: input.sourceId }, { field: 'sourceId' });
    await ctx.store.dialect.lock(ctx.tx, `package ${input.ecosystem} ${name}`);
    const stored = await ctx.tx
      .selectFrom('packages')
      .selectAll()
      .where('ecosystem', '=', input.ecosystem)
      .where('name', '=', name)
      .executeTakeFirst();
    const row = rowOf(ctx, stored, { ...input, name, sourceId: source.id });
    await noteSpelling(ctx, { ecosystem: input.ecosystem, name }, input.name.trim());
    if (!stored) await ctx.tx.insertInto('packages').values(row).execute();
    else if (row !== stored) await ctx.tx.updateTable('packages').set(row).where('id', '=', row.id).execute();
    if (row !== stored) {
      await recordAudit(ctx, {
        action: stored ? 'package.update' : 'package.create',
        targetType: 'package',
        targetId: row.id,
        before: stored,
        after: row,
      });
    }
    return { entry: await entryOf(ctx, row.id), created: !stored };
  });
}

// Returns the stored row itself when nothing changes.
function rowOf(ctx: WriteContext, stored: PackageRow | undefined, input: PutPackage): PackageRow {
  const { ecosystem, name, origin = 'operator' } = input;
  const entry = { source_id: input.sourceId, package_part: input.packagePart ?? null, origin };
  const at = now(ctx);
  if (!stored) {
    return { id: newId('pkg', ctx.randomBytes), ecosystem, name, ...entry, created_at: at, updated_at: at };
  }
  const same =
    stored.source_id === entry.source_id &&
    stored.package_part === entry.package_part &&
    stored.origin === entry.origin;
  const isProtected = stored.origin === 'operator' && origin === 'ingest';
  return same || isProtected ? stored : { ...stored, ...entry, updated_at: at };
}

async function entryOf(ctx: WriteContext, id: string): Promise<PackageEntry> {
  const row = await packageRows(ctx).select(PACKAGE_COLUMNS).where('m.id', '=', id).executeTakeFirstOrThrow();
  return toPackageEntry(row);
}

export async function deletePackage(ctx: Context, input: { id: string }): Promise<void> {
  await transact(ctx, async (ctx) => {
    await askAboutMappedAgain(ctx, sql<boolean>`id = ${input.id}`);
    const row = await ctx.tx.deleteFrom('packages').where('id', '=', input.id).returningAll().executeTakeFirst();
    if (!row) throw notFound('package', input.id);
    await recordAudit(ctx, { action: 'package.delete', targetType: 'package', targetId: row.id, before: row });
  });
}
