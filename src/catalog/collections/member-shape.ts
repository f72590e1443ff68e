import { sql } from 'kysely';
import type { CollectionMember, MemberPreview } from '../../contract/collection.ts';
import { githubHandle } from '../releases/surroundings.ts';

// An org, or a product with its org; one row for both, read under the aliases o (orgs) and p (products).
export interface MemberRow {
  orgId: string;
  orgSlug: string;
  orgName: string;
  orgDescription: string | null;
  domain: string | null;
  avatarUrl: string | null;
  githubHandle: string | null;
  productId: string | null;
  productSlug: string | null;
  productName: string | null;
  productDescription: string | null;
}

export function memberColumns() {
  return [
    'o.id as orgId',
    'o.slug as orgSlug',
    'o.name as orgName',
    'o.description as orgDescription',
    'o.domain as domain',
    'o.avatar_url as avatarUrl',
    githubHandle().as('githubHandle'),
    'p.id as productId',
    'p.slug as productSlug',
    'p.name as productName',
    'p.description as productDescription',
  ] as const;
}

export function memberPreview(row: MemberRow): MemberPreview {
  const { domain, avatarUrl, githubHandle: handle } = row;
  const org = { slug: row.orgSlug, name: row.orgName, domain, avatarUrl, githubHandle: handle };
  if (row.productId === null) return { kind: 'org', ...org, description: row.orgDescription };
  const { productSlug, productName, productDescription } = row;
  return { kind: 'product', slug: productSlug ?? '', name: productName ?? '', description: productDescription, org };
}

export function placedMember(row: MemberRow & { position: number; releaseCount: number }): CollectionMember {
  const { position, releaseCount } = row;
  return { id: row.productId ?? row.orgId, position, releaseCount, ...memberPreview(row) };
}

// Visible releases, from the counters that writes maintain; expects a visible member under o and p.
export function memberReleaseCount() {
  return sql<number>`(CASE WHEN p.id IS NULL THEN o.release_count ELSE
    (SELECT COALESCE(SUM(f.release_count), 0) FROM sources s JOIN source_figures f ON f.source_id = s.id
      WHERE s.product_id = p.id AND s.deleted_at IS NULL AND s.is_hidden = 0) END)`;
}
