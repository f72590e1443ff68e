// Everything that is known of a source before it is read.
import { findSource, type SourceInOrg } from '../../catalog/resolve.ts';
import type { Context } from '../../context.ts';
import type { AdapterInput, Validator } from '../adapters/contract.ts';
import { storedChangelog } from '../changelog-files/stored.ts';
import { type AdapterName, adapterNameOf } from './route.ts';
import { loadStoredKeys, type StoredKeys } from './stored-keys.ts';

export interface Subject extends SourceInOrg {
  adapter: AdapterName;
  stored: StoredKeys;
  validators: Validator[];
  names: string[];
  changelog: AdapterInput['changelog'];
  // Nothing was ever read of it, so nothing that is found now is news.
  firstFetch: boolean;
}

/** Null for a source that is gone. */
export async function loadSubject(ctx: Context, sourceId: string): Promise<Subject | null> {
  const place = await findSource(ctx, { src: sourceId });
  if (!place) return null;
  const { source } = place;
  const adapter = adapterNameOf(source);
  return {
    ...place,
    adapter,
    stored: await loadStoredKeys(ctx, source),
    validators: await loadValidators(ctx, sourceId),
    names: await namesAround(ctx, place),
    changelog: adapter === 'github' ? await storedChangelog(ctx, sourceId) : undefined,
    firstFetch: source.last_fetched_at === null,
  };
}

async function loadValidators(ctx: Context, sourceId: string): Promise<Validator[]> {
  const rows = await ctx.store.read
    .selectFrom('source_validators')
    .selectAll()
    .where('source_id', '=', sourceId)
    .orderBy('endpoint')
    .execute();
  return rows.map((row) => ({
    endpoint: row.endpoint,
    etag: row.etag,
    lastModified: row.last_modified,
    contentHash: row.content_hash,
    tokenFingerprint: row.token_fingerprint,
  }));
}

// Names that stand before a version in prose: "Acme CLI 2.1".
async function namesAround(ctx: Context, { source, org, product }: SourceInOrg): Promise<string[]> {
  const packages = await ctx.store.read
    .selectFrom('packages')
    .select('name')
    .where('source_id', '=', source.id)
    .orderBy('name')
    .execute();
  const repository = source.github_coordinate?.split('/') ?? [];
  const names = [org?.name, product?.name, source.name, ...repository, ...packages.map(({ name }) => name)];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
}
