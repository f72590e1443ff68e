// Everything that is known of a source before it is read.
import { findSource, type SourceInOrg } from '../../catalog/resolve.ts';
import type { Context } from '../../context.ts';
import { factsOf, readerOf, type SourceType } from '../../domain/source-types.ts';
import type { AdapterInput, Memory, Validator } from '../adapters/contract.ts';
import { storedChangelog } from '../changelog-files/stored.ts';
import { readMemory } from '../state/memory.ts';
import { readValidators } from '../state/validators.ts';
import { loadStoredKeys, type StoredKeys } from './stored-keys.ts';

export interface FetchSubject extends SourceInOrg {
  // The type whose adapter reads it.
  reader: SourceType;
  stored: StoredKeys;
  validators: Validator[];
  memory: Memory;
  names: string[];
  changelog: AdapterInput['changelog'];
  // Nothing was ever read of it, so nothing that is found now is news.
  firstFetch: boolean;
}

// Null for a source that is gone.
export async function loadSubject(ctx: Context, sourceId: string): Promise<FetchSubject | null> {
  const sourceInOrg = await findSource(ctx, { src: sourceId });
  if (!sourceInOrg) return null;
  const { source } = sourceInOrg;
  const reader = readerOf(source);
  return {
    ...sourceInOrg,
    reader,
    stored: await loadStoredKeys(ctx, source),
    validators: await readValidators(ctx, sourceId),
    memory: await readMemory(ctx.store.read, sourceId),
    names: await namesAround(ctx, sourceInOrg),
    changelog: factsOf(reader).isRepository ? await storedChangelog(ctx, sourceId) : undefined,
    firstFetch: source.last_fetched_at === null,
  };
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
