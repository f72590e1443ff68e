import { sql } from 'kysely';

// The oldest linked account represents the org; expects the org under the alias `o`.
export function githubHandle() {
  return sql<string | null>`(SELECT a.handle FROM org_accounts a
    WHERE a.org_id = o.id AND a.platform = 'github' AND a.deleted_at IS NULL
    ORDER BY a.created_at, a.handle LIMIT 1)`;
}
