// The stored files of a repository, as the github adapter asks for them.
import { createHash } from 'node:crypto';
import { type Context, queries } from '../../context.ts';
import { packageKey } from '../../domain/published-package.ts';
import { packageOfPath } from '../adapters/changelog/packed.ts';
import type { AdapterInput, StoredChangelog } from '../adapters/contract.ts';

export async function storedChangelog(ctx: Context, sourceId: string): Promise<NonNullable<AdapterInput['changelog']>> {
  const heads = await queries(ctx)
    .selectFrom('changelog_files')
    .select(['path', 'blob_hash', 'canonical'])
    .where('source_id', '=', sourceId)
    .orderBy('path')
    .execute();
  const text = heads.map(({ path, blob_hash, canonical }) => `${path}\0${blob_hash}\0${canonical}`).join('\n');
  const fingerprint = heads.length === 0 ? '' : createHash('sha256').update(text).digest('hex');
  return { fingerprint, read: () => readStoredFiles(ctx, sourceId) };
}

// The canonical file first, then by path.
export async function readStoredFiles(ctx: Context, sourceId: string): Promise<StoredChangelog[]> {
  const rows = await queries(ctx)
    .selectFrom('changelog_files')
    .select(['path', 'url', 'content', 'canonical'])
    .where('source_id', '=', sourceId)
    .orderBy('canonical', 'desc')
    .orderBy('path')
    .execute();
  const parts = rows.some(({ path }) => packageOfPath(path) !== null) ? await mappedParts(ctx, sourceId) : null;
  return rows.map(({ canonical, ...row }) => {
    const named = packageOfPath(row.path);
    const part = named && parts ? { packagePart: parts.get(packageKey(named)) ?? null } : {};
    return { ...row, canonical: canonical === 1, ...part };
  });
}

// What packages are called inside of the repository, which the package map decides once.
async function mappedParts(ctx: Context, sourceId: string): Promise<Map<string, string | null>> {
  const rows = await queries(ctx)
    .selectFrom('packages')
    .select(['ecosystem', 'name', 'package_part'])
    .where('source_id', '=', sourceId)
    .execute();
  return new Map(rows.map((row) => [packageKey(row), row.package_part]));
}
