// From a draft to the columns of its row: version fields, hashes, counts, derived texts, place in the feeds.
import type { Context } from '../../context.ts';
import type { Category } from '../../contract/enums.ts';
import { docKey } from '../../domain/doc-key.ts';
import { contentHash } from '../../domain/identity.ts';
import { releaseType } from '../../domain/notes/index.ts';
import { withoutUndefined } from '../../domain/records.ts';
import { compilePatterns, type Pattern } from '../../domain/safe-pattern.ts';
import { textTokens } from '../../domain/tokens/index.ts';
import {
  flagsPrerelease,
  type ParsedVersion,
  parseVersion,
  type SchemeSetting,
  versionStep,
} from '../../domain/versions/index.ts';
import type { DerivedFields } from '../../ports.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { ReleaseRow, SourceRow } from '../../store/schema.ts';
import type { SourceInOrg } from '../resolve.ts';
import type { GivenFields, ReleaseDraft } from './draft.ts';
import type { VersionBase } from './previous-stable.ts';

export interface VersionFields {
  version: string | null;
  parsed: ParsedVersion | null;
  version_sort: string | null;
  package_part: string | null;
  prerelease: number;
}

export interface VersionPatterns {
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

/** What an operator says about the version numbers of a source. */
export function schemeSetting({ version_scheme }: Pick<SourceRow, 'version_scheme'>): SchemeSetting {
  return version_scheme === 'numeric' || version_scheme === 'calendar' ? version_scheme : 'auto';
}

type Versioned = Pick<ReleaseDraft, 'version' | 'prerelease' | 'prereleaseHint'>;

export function versionFields(draft: Versioned, patterns: VersionPatterns): VersionFields {
  const { version } = draft;
  const parsed = version === null ? null : parseVersion(version);
  const ignored = version !== null && patterns.ignore.some((pattern) => pattern.test(version));
  const forced = version !== null && patterns.prerelease.some((pattern) => pattern.test(version));
  const prerelease = draft.prerelease ?? (forced || flagsPrerelease(parsed, draft.prereleaseHint));
  return {
    version,
    parsed: ignored ? null : parsed,
    version_sort: ignored ? null : (parsed?.sortKey ?? null),
    package_part: parsed?.packagePart ?? null,
    prerelease: prerelease ? 1 : 0,
  };
}

export function typeOf(
  draft: Pick<ReleaseDraft, 'type' | 'title' | 'content'>,
  source: SourceRow,
): 'feature' | 'rollup' {
  if (draft.type) return draft.type;
  if (source.release_type === 'feature' || source.release_type === 'rollup') return source.release_type;
  return releaseType(draft.title, draft.content);
}

interface TextFields {
  title: string;
  content: string;
  publishedAt: string | null;
}

// Kinds whose version numbers say nothing about what a change breaks.
const STEPLESS_TYPES = new Set(['appstore', 'video']);
const STEPLESS_KINDS = new Set(['mobile', 'desktop', 'docs']);

export function derivedColumns(
  ctx: Context,
  place: SourceInOrg,
  text: TextFields,
  version: VersionFields,
  type: 'feature' | 'rollup',
  origin: string,
  base: VersionBase,
  given: GivenFields,
): Pick<
  ReleaseRow,
  | 'summary'
  | 'title_generated'
  | 'title_short'
  | 'breaking'
  | 'migration_notes'
  | 'importance'
  | 'composition'
  | 'derived_by'
> {
  const kind = place.source.kind ?? place.product?.kind ?? '';
  const stepless = STEPLESS_TYPES.has(place.source.type) || STEPLESS_KINDS.has(kind);
  const derived: DerivedFields = {
    ...ctx.ports.derive({
      title: text.title,
      content: text.content,
      version: version.version,
      versionNumbers: version.parsed?.numbers ?? [],
      step:
        version.parsed && !stepless && !base.continues
          ? versionStep(version.parsed, base.previous, schemeSetting(place.source))
          : null,
      prerelease: version.prerelease === 1,
      type,
      origin,
      names: [place.org?.name, place.product?.name, place.source.name].filter((name) => name !== undefined),
      displayName: displayName(place, version, base),
      habits: place.habits,
    }),
    ...withoutUndefined(given),
  };
  return {
    summary: derived.summary,
    title_generated: derived.titleGenerated,
    title_short: derived.titleShort,
    breaking: derived.breaking,
    migration_notes: derived.migrationNotes,
    importance: derived.importance,
    composition: derived.composition ? toJson(derived.composition) : null,
    derived_by: 'rules',
  };
}

// A repository of several packages is none of them.
function displayName(
  { product, source }: SourceInOrg,
  { package_part }: VersionFields,
  { shared }: VersionBase,
): string {
  return (shared ? package_part : null) ?? product?.name ?? source.name;
}

export function textColumns(text: TextFields, version: string | null) {
  return {
    title: text.title,
    content: text.content,
    content_hash: contentHash({ ...text, version }),
    content_chars: text.content.length,
    content_tokens: textTokens(text.content),
    published_at: text.publishedAt,
  };
}

export function docKeyOf(publishedAt: string | null, fetchedAt: string, seq: number): number {
  return docKey(publishedAt ?? fetchedAt, seq);
}

// 2 listed, 1 coverage side, 0 suppressed; negative while the source itself is not shown.
export function listingOf(row: { suppressed: number; coverage_of: string | null }, visible: boolean): number {
  if (row.suppressed) return 0;
  const own = row.coverage_of ? 1 : 2;
  return visible ? own : -own;
}

export function effectiveCategory(place: SourceInOrg): Category | null {
  return place.product?.category ?? place.org?.category ?? null;
}
