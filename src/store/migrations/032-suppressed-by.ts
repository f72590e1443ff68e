import type { Migration } from './migration.ts';

// Who took a release out of public view: its source, or an operator. What an operator suppressed is hidden everywhere,
// what its author has withdrawn stays in version ranges. A row whose last audited act is a suppression is the operator's.
export const suppressedBy: Migration = {
  up({ types: { text } }) {
    return [
      `ALTER TABLE releases ADD COLUMN suppressed_by ${text}`,
      `UPDATE releases SET suppressed_by = CASE
        WHEN suppressed_reason IN ('yanked', 'withdrawn', 'filter', 'reparse')
          AND COALESCE((SELECT a.action FROM audit_log a
            WHERE a.target_id = releases.id AND a.action IN ('release.suppress', 'release.unsuppress')
            ORDER BY a.created_at DESC, a.id DESC LIMIT 1), '') <> 'release.suppress'
          AND NOT EXISTS (SELECT 1 FROM audit_log a
            WHERE a.target_id = releases.source_id AND a.action = 'source.suppress_releases')
        THEN 'source' ELSE 'operator' END
        WHERE suppressed = 1`,
    ];
  },
};
