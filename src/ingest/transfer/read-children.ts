// Reads the lists inside records: tables whose rows nothing else refers to.
import { type RawBuilder, sql } from 'kysely';
import { visibleProduct } from '../../entities/visible.ts';
import type { Queries } from '../../store/schema/index.ts';
import type { RecordData } from './record-children.ts';
import type { ExportScope, RecordName } from './record-types.ts';

type ChildRow = Record<string, unknown>;
type Owned = RecordData & { owner: string };

interface ChildList {
  // The rows with their `owner`, in the order of the record.
  query(owners: RawBuilder<unknown>, scope: ExportScope): RawBuilder<Owned>;
  item(row: Owned): unknown;
}

const withoutOwner = ({ owner: _, ...item }: Owned): unknown => item;

const tagsOf = (table: 'org_tags' | 'product_tags', column: 'org_id' | 'product_id'): ChildList => ({
  query: (owners) => sql`SELECT l.${sql.ref(column)} AS owner, t.slug FROM ${sql.table(table)} l
    JOIN tags t ON t.id = l.tag_id WHERE l.${sql.ref(column)} IN ${owners} ORDER BY t.slug`,
  item: ({ slug }) => slug,
});

const aliasesOf = (column: 'org_id' | 'product_id'): ChildList => ({
  query: (owners) => sql`SELECT ${sql.ref(column)} AS owner, domain, created_at AS "createdAt" FROM domain_aliases
    WHERE ${sql.ref(column)} IN ${owners} AND deleted_at IS NULL ORDER BY domain`,
  item: withoutOwner,
});

const LISTS: Partial<Record<RecordName, Record<string, ChildList>>> = {
  org: {
    tags: tagsOf('org_tags', 'org_id'),
    accounts: {
      query: (owners) => sql`SELECT org_id AS owner, platform, handle, created_at AS "createdAt" FROM org_accounts
        WHERE org_id IN ${owners} AND deleted_at IS NULL ORDER BY platform, handle`,
      item: withoutOwner,
    },
    aliases: aliasesOf('org_id'),
  },
  product: { tags: tagsOf('product_tags', 'product_id'), aliases: aliasesOf('product_id') },
  release: {
    revisions: {
      query: (
        owners,
      ) => sql`SELECT release_id AS owner, id, replaced_at AS "replacedAt", cause, changed, title, version,
          published_at AS "publishedAt", prerelease, content_hash AS "contentHash",
          previous_updated_at AS "previousUpdatedAt"
        FROM release_revisions WHERE release_id IN ${owners} ORDER BY id`,
      item: ({ owner: _, ...revision }) => ({
        ...revision,
        changed: JSON.parse(String(revision.changed)),
        prerelease: Number(revision.prerelease) === 1,
      }),
    },
  },
  listing: {
    versions: {
      query: (owners) => sql`SELECT s.id AS owner, v.version, v.published_at AS "publishedAt", v.withdrawn,
          v.withdrawn_reason AS "withdrawnReason", v.deprecated, v.tarball_url AS "tarballUrl", v.integrity
        FROM package_states s JOIN package_versions v ON v.ecosystem = s.ecosystem AND v.name = s.name
        WHERE s.id IN ${owners} ORDER BY v.version`,
      item: ({ owner: _, ...version }) => ({ ...version, withdrawn: Number(version.withdrawn) === 1 }),
    },
  },
  overview: {
    citations: {
      query: (owners, { now }) => sql`SELECT c.page_id AS owner, c.position, c.source_url AS "sourceUrl", c.title,
          r.id AS "releaseId", c.start_index AS "startIndex", c.end_index AS "endIndex", c.cited_text AS "citedText"
        FROM page_citations c LEFT JOIN releases r ON r.id = c.release_id AND r.listing > 0 AND r.feed_at <= ${now}
        WHERE c.page_id IN ${owners} ORDER BY c.position, c.start_index, c.end_index, c.source_url`,
      item: withoutOwner,
    },
  },
  collection: {
    members: {
      query: (owners) => sql`SELECT m.collection_id AS owner, m.org_id AS "orgId", m.product_id AS "productId",
          m.position, m.created_at AS "createdAt"
        FROM collection_members m LEFT JOIN products p ON p.id = m.product_id
        JOIN orgs o ON o.id = COALESCE(m.org_id, p.org_id)
        WHERE m.collection_id IN ${owners} AND o.deleted_at IS NULL AND o.is_hidden = 0
          AND (m.product_id IS NULL OR ${visibleProduct()})
        ORDER BY m.position, COALESCE(m.org_id, m.product_id)`,
      item: withoutOwner,
    },
  },
};

// The lists of each row's record.
export async function childrenOf(
  db: Queries,
  name: RecordName,
  { scope, rows }: { scope: ExportScope; rows: readonly ChildRow[] },
): Promise<RecordData[]> {
  const lists = Object.entries(LISTS[name] ?? {});
  const children: RecordData[] = rows.map(() => ({}));
  if (rows.length === 0) return children;
  const owners = sql`(${sql.join(rows.map((row) => row.id))})`;
  for (const [field, { query, item }] of lists) {
    const found = await query(owners, scope).execute(db);
    const byOwner = Map.groupBy(found.rows, ({ owner }) => owner);
    for (const [index, row] of rows.entries()) {
      const own = children[index];
      if (own) own[field] = (byOwner.get(String(row.id)) ?? []).map(item);
    }
  }
  return children;
}
