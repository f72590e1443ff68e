// What is stored of a source, by everything that can identify an item.
import type { Context } from '../../context.ts';
import type { ItemKeys } from '../../domain/identity.ts';
import { factsOf } from '../../domain/source-types.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

export type StoredItemKey = Pick<
  ReleaseRow,
  'id' | 'identity_key' | 'guid' | 'url' | 'version' | 'published_at' | 'origin' | 'suppressed' | 'suppressed_reason'
>;

export interface StoredKeys {
  rows: readonly StoredItemKey[];
  find(keys: ItemKeys): StoredItemKey | null;
}

export async function loadStoredKeys(ctx: Context, source: SourceRow): Promise<StoredKeys> {
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
    ])
    .where('source_id', '=', source.id)
    .execute();
  return indexKeys(rows, source.type);
}

// A repository's tags and changelog entries are the releases that they become.
const PROVISIONAL = new Set(['tag', 'changelog']);

function indexKeys(rows: readonly StoredItemKey[], sourceType: string): StoredKeys {
  const { isRepository } = factsOf(sourceType);
  const byKey = new Map(rows.map((row) => [row.identity_key, row]));
  const byGuid = new Map(rows.flatMap((row) => (row.guid === null ? [] : [[row.guid, row] as const])));
  const versioned = rows.filter((row) => row.version !== null && (!isRepository || PROVISIONAL.has(row.origin)));
  const byVersion = new Map(versioned.map((row) => [`v:${versionIdentity(row.version ?? '')}`, row]));
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
