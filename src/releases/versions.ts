// The version of a release as columns, and the order of its index.
import { type RawBuilder, sql } from 'kysely';
import { compilePatterns, type Pattern } from '../domain/safe-pattern.ts';
import {
  feedVersionOf,
  flagsPrerelease,
  type ParsedVersion,
  parseVersion,
  type SchemeSetting,
} from '../domain/versions/index.ts';
import { parseJson } from '../store/json-text.ts';
import type { SourceRow } from '../store/schema/sources.ts';
import type { Draft } from './write/draft.ts';

export interface VersionFields {
  version: string | null;
  parsed: ParsedVersion | null;
  version_sort: string | null;
  feed_version: string;
  package_part: string | null;
  prerelease: number;
}

interface VersionPatterns {
  ignore: Pattern[];
  prerelease: Pattern[];
}

export function versionPatterns(source: Pick<SourceRow, 'settings'>): VersionPatterns {
  const settings = parseJson(source.settings);
  return {
    ignore: compilePatterns(settings.ignoreVersions).patterns,
    prerelease: compilePatterns(settings.prereleaseVersions).patterns,
  };
}

// The order of the index of versions, for releases of one package. The package is named although it has one value, because
// PostgreSQL does not see that in "IS NULL" and would sort every version of the source.
export function inVersionOrder(alias: string, direction: 'ASC' | 'DESC'): RawBuilder<unknown> {
  return sql.raw(`${alias}.package_part ${direction}, ${alias}.version_sort ${direction}`);
}

// The operator's setting for the version numbers of a source.
export function schemeSetting({ version_scheme }: Pick<SourceRow, 'version_scheme'>): SchemeSetting {
  return version_scheme === 'numeric' || version_scheme === 'calendar' ? version_scheme : 'auto';
}

export type VersionedDraft = Pick<Draft, 'version' | 'prerelease' | 'prereleaseHint'>;

export function versionFields(draft: VersionedDraft, patterns: VersionPatterns): VersionFields {
  const { version } = draft;
  const parsed = version === null ? null : parseVersion(version);
  const ignored = version !== null && patterns.ignore.some((pattern) => pattern.test(version));
  const forced = version !== null && patterns.prerelease.some((pattern) => pattern.test(version));
  const prerelease = draft.prerelease ?? (forced || flagsPrerelease(parsed, draft.prereleaseHint));
  const key = ignored ? null : (parsed?.sortKey ?? null);
  return {
    version,
    parsed: ignored ? null : parsed,
    version_sort: key,
    feed_version: feedVersionOf(key),
    package_part: parsed?.packagePart ?? null,
    prerelease: prerelease ? 1 : 0,
  };
}
