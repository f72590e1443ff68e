// Whether a release of a source that several packages share is one of a given package.
import { type RawBuilder, sql } from 'kysely';

// A condition on the release `r` and the entry `m` of the package map. A release that names no package is one of all.
export function packageOfRelease(): RawBuilder<boolean> {
  return sql<boolean>`(r.package_part IS NULL OR r.package_part = m.package_part
    OR (m.package_part IS NULL AND (r.package_part = m.name OR m.name LIKE '%/' || r.package_part)))`;
}
