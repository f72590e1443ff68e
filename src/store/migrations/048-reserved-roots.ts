import type { Migration } from './migration.ts';

const RESERVED = ['ask', 'breaking', 'maintainers', 'reports', 'submit', 'updates'];

// Paths of the registry's own pages that organizations could have as their slug. One that has it moves; should that slug be
// taken as well, its own id is put behind.
export const reservedRoots: Migration = {
  up: () => {
    const held = `slug IN (${RESERVED.map((slug) => `'${slug}'`).join(', ')}) AND deleted_at IS NULL`;
    return [
      `UPDATE orgs SET slug = slug || '-org' WHERE ${held}
        AND NOT EXISTS (SELECT 1 FROM orgs o WHERE o.slug = orgs.slug || '-org' AND o.deleted_at IS NULL)`,
      `UPDATE orgs SET slug = slug || '-org-' || lower(substr(replace(id, '_', '-'), 5)) WHERE ${held}`,
    ];
  },
};
