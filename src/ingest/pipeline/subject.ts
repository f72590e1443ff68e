// Loads everything that is known of a source before it is fetched.

import type { Context } from '../../context.ts';
import type { ItemKeys } from '../../domain/release-identity.ts';
import { factsOf, readerOf, type SourceType } from '../../domain/source-types.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { findSource, type SourceInOrg } from '../../entities/resolve.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { inTurns } from '../../threads/turns.ts';
import type { AdapterInput, Validator } from '../adapters/contract.ts';
import type { Memory } from '../adapters/memory.ts';
import { storedChangelog } from '../changelog-files/stored.ts';
import { isAccepted } from '../schedule/flood.ts';
import { readMemory } from '../state/memory.ts';
import { readValidators } from '../state/validators.ts';

export interface FetchSubject extends SourceInOrg {
  // The type whose adapter reads it.
  reader: SourceType;
  stored: StoredKeys;
  validators: Validator[];
  memory: Memory;
  names: string[];
  // Packages are mapped to the source.
  isMapped: boolean;
  changelog: AdapterInput['changelog'];
  // An operator has accepted what the source brings next.
  accepted: boolean;
  // The source was never read, so nothing that is found now is announced.
  firstFetch: boolean;
}

// Null for a deleted source.
export async function loadSubject(ctx: Context, sourceId: string): Promise<FetchSubject | null> {
  const sourceInOrg = await findSource(ctx, { src: sourceId });
  if (!sourceInOrg) return null;
  const { source } = sourceInOrg;
  const reader = readerOf(source);
  const packages = await packageNames(ctx, source.id);
  return {
    ...sourceInOrg,
    reader,
    stored: await loadStoredKeys(ctx, source),
    validators: await readValidators(ctx, sourceId),
    memory: await readMemory(ctx.store.read, sourceId),
    names: namesAround(sourceInOrg, packages),
    isMapped: packages.length > 0,
    changelog: factsOf(reader).isRepository ? await storedChangelog(ctx, sourceId) : undefined,
    accepted: await isAccepted(ctx, sourceId),
    firstFetch: source.last_fetched_at === null,
  };
}

async function packageNames(ctx: Context, sourceId: string): Promise<string[]> {
  const rows = await ctx.store.read
    .selectFrom('packages')
    .select('name')
    .where('source_id', '=', sourceId)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

// Names that may precede a version in prose: "Acme CLI 2.1".
function namesAround({ source, org, product }: SourceInOrg, packages: readonly string[]): string[] {
  const repository = source.github_coordinate?.split('/') ?? [];
  const names = [org?.name, product?.name, source.name, ...repository, ...packages];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
}

export type StoredItemKey = Pick<
  ReleaseRow,
  | 'id'
  | 'identity_key'
  | 'guid'
  | 'url'
  | 'version'
  | 'published_at'
  | 'origin'
  | 'suppressed'
  | 'suppressed_reason'
  | 'suppressed_by'
>;

interface StoredKeys {
  rows: readonly StoredItemKey[];
  find(keys: ItemKeys): StoredItemKey | null;
}

// The stored releases of a source, by every key that can identify an item.
async function loadStoredKeys(ctx: Context, source: SourceRow): Promise<StoredKeys> {
  const rows = await ctx.store.read
    .selectFrom('releases')
    .select([
      'id',
      'identity_key',
      'guid',
      'url',
      'version',
      'published_at',
      'origin',
      'suppressed',
      'suppressed_reason',
      'suppressed_by',
    ])
    .where('source_id', '=', source.id)
    .execute();
  return inTurns(indexKeys(rows, source.type));
}

// Releases from tags and changelog entries are replaced by the Release objects that they become.
const PROVISIONAL = new Set(['tag', 'changelog']);

// So many rows take a millisecond or two.
const STEP = 500;

function* indexKeys(rows: readonly StoredItemKey[], sourceType: string): Generator<void, StoredKeys> {
  const { isRepository } = factsOf(sourceType);
  const byKey = new Map<string, StoredItemKey>();
  const byGuid = new Map<string, StoredItemKey>();
  const byVersion = new Map<string, StoredItemKey>();
  for (const [index, row] of rows.entries()) {
    byKey.set(row.identity_key, row);
    if (row.guid !== null) byGuid.set(row.guid, row);
    const isVersioned = row.version !== null && (!isRepository || PROVISIONAL.has(row.origin));
    if (isVersioned) byVersion.set(`v:${versionIdentity(row.version ?? '')}`, row);
    if (index % STEP === STEP - 1) yield;
  }
  return {
    rows,
    find({ key, guid, versionKey, hasAddress }) {
      const exact = byKey.get(key) ?? (guid === null ? undefined : byGuid.get(guid));
      if (exact || versionKey === null) return exact ?? null;
      const mayMatchVersion = isRepository || !hasAddress;
      return mayMatchVersion ? (byVersion.get(versionKey) ?? null) : null;
    },
  };
}
