// The stored files of a repository, as the github adapter asks for them.
import { createHash } from 'node:crypto';
import { type Context, queries } from '../../context.ts';
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
  return rows.map(({ canonical, ...row }) => ({ ...row, canonical: canonical === 1 }));
}
