// Visibility as query conditions; expects the aliases s (sources), o (orgs) and p (products).
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { WITHDRAWAL_REASONS } from '../domain/withdrawal.ts';

// biome-ignore lint/suspicious/noExplicitAny: used by queries of many shapes that share the aliases
type AnyBuilder = ExpressionBuilder<any, any>;

export function visibleSource(_eb?: AnyBuilder): RawBuilder<boolean> {
  return sql<boolean>`(s.deleted_at IS NULL AND s.is_hidden = 0
    AND (s.org_id IS NULL OR (o.deleted_at IS NULL AND o.is_hidden = 0))
    AND (p.id IS NULL OR p.is_hidden = 0))`;
}

const OF_SEEN_ORG = sql.raw(`s.org_id IS NULL OR s.org_id NOT IN (SELECT unseen.id FROM orgs unseen
      WHERE unseen.is_hidden = 1 OR unseen.deleted_at IS NOT NULL)`);

// The same for queries over many sources: hidden and deleted orgs are few and are looked up once, instead of the org of
// each source.
export function visibleAmongMany(): RawBuilder<boolean> {
  return sql<boolean>`(s.deleted_at IS NULL AND s.is_hidden = 0 AND (${OF_SEEN_ORG})
    AND (p.id IS NULL OR p.is_hidden = 0))`;
}

// The same for queries over all sources, which need no products beside them.
export function visibleAmongAll(): RawBuilder<boolean> {
  return sql<boolean>`(s.deleted_at IS NULL AND s.is_hidden = 0 AND (${OF_SEEN_ORG})
    AND (s.product_id IS NULL OR s.product_id NOT IN (SELECT unseen.id FROM products unseen WHERE unseen.is_hidden = 1)))`;
}

const REASONS = WITHDRAWAL_REASONS.map((reason) => `'${reason}'`).join(', ');

// A release that its author has withdrawn; see `src/domain/withdrawal.ts`. Expects the alias r (releases).
export const WITHDRAWN_RELEASE: RawBuilder<boolean> = sql.raw(
  `(r.listing = 0 AND r.suppressed_by = 'source' AND r.suppressed_reason IN (${REASONS}))`,
);

export function visibleProduct(): RawBuilder<boolean> {
  return sql<boolean>`(p.deleted_at IS NULL AND p.is_hidden = 0 AND o.deleted_at IS NULL AND o.is_hidden = 0)`;
}

// A case-insensitive substring of the folded name and other lower-case columns; `%`, `_` and `\` are literal.
export function containsFolded(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
  return sql<boolean>`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`;
}
