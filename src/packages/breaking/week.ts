// What broke in a week on each ecosystem: versions whose own release says so, or whose package proves it against the version before.
// Dates are those of releases; a version that only a mirror dates is in no week.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import type { Breaking } from '../../contract/enums.ts';
import { majorNumber } from '../../domain/breaking/calendar.ts';
import { type Span, spanOfWeek, type Week, weekSlug } from '../../domain/breaking/weeks.ts';
import { ECOSYSTEMS, type Ecosystem, packageKey } from '../../domain/ecosystems/index.ts';
import { RULES_VERSION } from '../../domain/evidence/finding.ts';
import { isPublishedPrerelease } from '../../domain/upgrade/published.ts';
import { compareVersionKeys } from '../../domain/versions/index.ts';
import { parseJson } from '../../store/json-text.ts';
import { isDatedByRegistry } from '../details/registry-dates.ts';
import { visiblePackages } from '../whats-changed/listings.ts';

// `silent`: the notes were read and do not say so. `unread`: nobody listened, so nothing is said of them.
const NOTES_WORDS = ['said', 'silent', 'unread'] as const;

export interface BrokenVersion {
  ecosystem: Ecosystem;
  name: string;
  // The version before; null while it is not known.
  from: string | null;
  version: string;
  publishedAt: string;
  step: 'major' | 'minor_or_patch';
  answer: 'breaks' | 'may_break';
  what: string;
  // Of the package itself; 0 where it was not compared.
  proven: number;
  likely: number;
  notes: (typeof NOTES_WORDS)[number];
  releaseId: string | null;
}

export interface BrokenWeek {
  week: string;
  since: string;
  until: string;
  // Versions of the week that were compared with the one before.
  compared: number;
  items: BrokenVersion[];
  // There are more than are told.
  isCut: boolean;
}

const MOST = 300;

interface Candidate {
  ecosystem: Ecosystem;
  name: string;
  version: string;
  version_sort: string;
  at: string;
  release_id: string | null;
  breaking: Breaking | null;
  content_chars: number | null;
  title: string | null;
}

export async function brokenInWeek(called: Context, week: Week): Promise<BrokenWeek> {
  // The page is the same for everybody.
  const ctx: Context = { ...called, caller: ANONYMOUS };
  const span = spanOfWeek(week);
  const found = await candidates(ctx, span);
  const seen = await visiblePackages(ctx, found);
  const before = await versionsBefore(ctx, seen);
  const pairs = await provenPairs(ctx, seen);
  let compared = 0;
  const items: BrokenVersion[] = [];
  for (const one of seen) {
    const from = before.get(versionKey(one)) ?? null;
    const pair = from === null ? undefined : pairs.get(`${versionKey(one)}\n${from}`);
    if (pair) compared += 1;
    const item = brokenVersion(one, from, pair);
    if (item) items.push(item);
  }
  items.sort(byWeight);
  return { week: weekSlug(week), ...span, compared, items: items.slice(0, MOST), isCut: items.length > MOST };
}

type Pair = { proven: number; likely: number; text: string | null };

function brokenVersion(one: Candidate, from: string | null, pair: Pair | undefined): BrokenVersion | null {
  const { ecosystem, name, version, at, release_id, breaking, content_chars, title } = one;
  const { proven = 0, likely = 0 } = pair ?? {};
  const isTold = breaking === 'major' || breaking === 'minor';
  if (!isTold && proven + likely === 0) return null;
  const isRead = (content_chars ?? 0) > 0 && breaking === 'none';
  return {
    ecosystem,
    name,
    from,
    version,
    publishedAt: at,
    step: from !== null && majorNumber(from) === majorNumber(version) ? 'minor_or_patch' : 'major',
    answer: proven > 0 || breaking === 'major' ? 'breaks' : 'may_break',
    what: pair?.text ?? title ?? version,
    proven,
    likely,
    notes: isTold ? 'said' : isRead && proven > 0 ? 'silent' : 'unread',
    releaseId: release_id,
  };
}

function byWeight(one: BrokenVersion, other: BrokenVersion): number {
  const weight = ({ step, answer, proven }: BrokenVersion) =>
    (step === 'major' ? 4 : 0) + (answer === 'breaks' ? 0 : 2) + (proven > 0 ? 0 : 1);
  return weight(one) - weight(other) || (one.publishedAt < other.publishedAt ? 1 : -1);
}

function versionKey({ ecosystem, name, version }: Pick<Candidate, 'ecosystem' | 'name' | 'version'>): string {
  return `${packageKey({ ecosystem, name })}\n${version}`;
}

const SCANNED = 5000;

// Stable versions of the week that may have broken something; the newest first. The releases of the week are walked, and not all
// published versions.
async function candidates(ctx: Context, { since, until }: Span): Promise<Candidate[]> {
  const trusted = ECOSYSTEMS.filter((ecosystem) => isDatedByRegistry(ctx.config, { ecosystem, state: null }));
  const ofRegistry =
    trusted.length === 0
      ? sql``
      : sql`UNION ALL SELECT v.ecosystem, v.name, v.version, v.version_sort, v.published_at AS at, NULL AS release_id,
          NULL AS breaking, NULL AS content_chars, NULL AS title
        FROM package_versions v
        WHERE v.published_at >= ${since} AND v.published_at < ${until} AND v.release_id IS NULL AND v.withdrawn = 0
          AND v.version_sort IS NOT NULL AND v.ecosystem IN (${sql.join(trusted)})`;
  const { rows } = await sql<Candidate>`
    SELECT v.ecosystem, v.name, v.version, v.version_sort, r.published_at AS at, r.id AS release_id, r.breaking, r.content_chars,
      COALESCE(r.title_short, r.title_generated, r.title) AS title
    FROM releases r CROSS JOIN package_versions v
    WHERE v.release_id = r.id AND r.listing IN (1, 2) AND r.feed_at >= ${since} AND r.feed_at < ${until} AND r.published_at IS NOT NULL AND v.withdrawn = 0
      AND v.version_sort IS NOT NULL
    ${ofRegistry} ORDER BY at DESC LIMIT ${sql.lit(SCANNED)}`.execute(queries(ctx));
  return rows.filter(({ version }) => !isPublishedPrerelease(version));
}

const NAMES = 200;

// The stable version before each one, by the order of versions and not of time.
async function versionsBefore(ctx: Context, found: readonly Candidate[]): Promise<Map<string, string>> {
  const before = new Map<string, string>();
  const names = [...new Set(found.map(({ name }) => name))];
  for (let start = 0; start < names.length; start += NAMES) {
    const rows = await queries(ctx)
      .selectFrom('package_versions')
      .select(['ecosystem', 'name', 'version', 'version_sort'])
      .where('ecosystem', 'in', ECOSYSTEMS)
      .where('name', 'in', names.slice(start, start + NAMES))
      .where('version_sort', 'is not', null)
      .where('withdrawn', '=', 0)
      .execute();
    for (const versions of Map.groupBy(rows, packageKey).values()) {
      const rising = versions
        .filter(({ version }) => !isPublishedPrerelease(version))
        .sort((one, other) => compareVersionKeys(one.version_sort ?? '', other.version_sort ?? ''));
      for (const [index, one] of rising.entries()) {
        const last = rising[index - 1];
        if (last) before.set(versionKey(one), last.version);
      }
    }
  }
  return before;
}

async function provenPairs(ctx: Context, found: readonly Candidate[]): Promise<Map<string, Pair>> {
  const pairs = new Map<string, Pair>();
  const names = [...new Set(found.map(({ name }) => name))];
  for (let start = 0; start < names.length; start += NAMES) {
    const rows = await queries(ctx)
      .selectFrom('evidence_pairs')
      .select(['ecosystem', 'name', 'from_version', 'to_version', 'proven', 'likely', 'findings'])
      .where('ecosystem', 'in', ECOSYSTEMS)
      .where('name', 'in', names.slice(start, start + NAMES))
      .where('to_version', 'in', [...new Set(found.map(({ version }) => version))])
      .where('rules', '=', RULES_VERSION)
      .where('status', 'in', ['compared', 'no_types'])
      .execute();
    for (const { from_version, to_version, proven, likely, findings, ...named } of rows) {
      const [first] = parseJson(findings);
      const key = `${versionKey({ ...named, version: to_version })}\n${from_version}`;
      pairs.set(key, { proven, likely, text: first?.text ?? null });
    }
  }
  return pairs;
}
