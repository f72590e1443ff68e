// Imports a package of which only the repository is known: its source and its entry in the package map.

import { sql } from 'kysely';
import { type Context, transact, type WriteContext } from '../../context.ts';
import type { OutsideText } from '../../domain/changelog/types.ts';
import { IMPORTED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import { isFetchedFromElsewhere } from '../../domain/fetching/local-import.ts';
import { normalizePackageName } from '../../domain/published-package.ts';
import { deriveSlug, isReservedOrgSlug } from '../../domain/slugs.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { createOrg } from '../../entities/orgs/create.ts';
import { putPackage } from '../../entities/packages/put.ts';
import { countOutsideText } from '../../entities/registry/count-outside-text.ts';
import { findOrg, findSource, isUnlisted, type SourceInOrg } from '../../entities/resolve.ts';
import { createSource } from '../../entities/sources/create.ts';
import { sourcesOfCoordinate } from '../../entities/sources/of-coordinate.ts';
import { updateSource } from '../../entities/sources/update.ts';
import type { PackageRow } from '../../store/schema/repositories.ts';
import { type ImportHints, type OrgDescription, REGISTRY_PAGE, type SourceDescription } from './describe.ts';

export interface SourceToImport {
  described: SourceDescription;
  // The import has other packages of the same repository.
  isShared: boolean;
  given: ImportHints;
  // Also polls the source, if it has never been read.
  track: boolean;
  // Also writes into a source that is fetched from elsewhere.
  intoFetched: boolean;
  // What a new source is read by, where its page lists no releases.
  parser?: string;
}

interface AssignedPackage extends AssignedSource {
  // What the versions of the package begin with in a repository of several packages.
  part: string | null;
  isShared: boolean;
}

// `outside` is the text of a file without entries, if there is one.
export function importSource(
  ctx: Context,
  requested: SourceToImport & { outside: OutsideText },
): Promise<AssignedPackage> {
  return transact(ctx, async (ctx) => {
    const assigned = await assignToRepository(ctx, requested);
    if (assigned.isKept) return assigned;
    await mapPackage(ctx, requested.described, assigned);
    if (assigned.isNew) await countOutsideText(ctx, requested.outside);
    return assigned;
  });
}

export async function assignToRepository(ctx: WriteContext, requested: SourceToImport): Promise<AssignedPackage> {
  const { described } = requested;
  const assigned = await assignPackage(ctx, requested);
  const directory = described.type === 'github' ? described.repository.directory : null;
  const isShared = requested.isShared || Boolean(directory) || (await hasOtherPackages(ctx, assigned, described));
  return { ...assigned, isShared, part: partOf(assigned, described, isShared) };
}

export async function mapPackage(
  ctx: WriteContext,
  { npm }: SourceDescription,
  { sourceInOrg, mapped, part }: AssignedPackage,
): Promise<void> {
  if (npm === null || mapped !== null) return;
  const entry = {
    ecosystem: IMPORTED_ECOSYSTEM,
    name: npm,
    sourceId: sourceInOrg.source.id,
    packagePart: part,
  } as const;
  await putPackage(ctx, { ...entry, origin: 'ingest' });
}

// A stored part is reused: another one would create other releases from the same entries.
function partOf(
  { sourceInOrg, mapped }: AssignedSource,
  { packageName }: SourceDescription,
  isShared: boolean,
): string | null {
  if (mapped?.source_id === sourceInOrg.source.id) return mapped.package_part;
  return isShared ? packageName : null;
}

async function hasOtherPackages(
  ctx: WriteContext,
  { sourceInOrg, mapped }: AssignedSource,
  described: SourceDescription,
) {
  if (described.type !== 'github') return false;
  const other = await ctx.tx
    .selectFrom('packages')
    .select('id')
    .where('source_id', '=', sourceInOrg.source.id)
    .where('id', '<>', mapped?.id ?? '')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

// Finds or creates the org and the source of a package. Called inside the transaction that writes the package.

interface AssignedSource {
  sourceInOrg: SourceInOrg;
  // The entry of the package in the package map, whatever source it names.
  mapped: PackageRow | null;
  // The source was created for the package.
  isNew: boolean;
  // The source is fetched from elsewhere, so nothing may be written into it.
  isKept: boolean;
}

type PackageToAssign = Omit<SourceToImport, 'isShared'>;

async function assignPackage(ctx: WriteContext, requested: PackageToAssign): Promise<AssignedSource> {
  const { described, given, track, intoFetched } = requested;
  const key = described.type === 'github' ? described.repository.coordinate : (described.npm ?? described.name);
  await ctx.store.dialect.lock(ctx.tx, `import ${key}`);
  const mapped = described.npm === null ? null : await mappedPackage(ctx, described.npm);
  const found = await knownSource(ctx, { described, given, mapped });
  if (found && !intoFetched && (await isFetched(ctx, found))) {
    return { sourceInOrg: found, mapped, isNew: false, isKept: true };
  }
  // A source that a lookup has created is taken over when its repository is added.
  const known = found && isUnlisted(found.source) ? null : found;
  if (known && track) await resumeUnread(ctx, known);
  const sourceInOrg = known ?? (await newSource(ctx, requested));
  return { sourceInOrg, mapped, isNew: known === null, isKept: false };
}

async function isFetched(ctx: WriteContext, { source }: SourceInOrg): Promise<boolean> {
  const origins = await ctx.tx
    .selectFrom('releases')
    .select('origin')
    .distinct()
    .where('source_id', '=', source.id)
    .execute();
  return isFetchedFromElsewhere({
    lastPolledAt: source.last_polled_at,
    lastFetchedAt: source.last_fetched_at,
    isPaused: source.fetch_priority === 'paused',
    isUnlisted: isUnlisted(source),
    hasOnlyChangelogReleases: origins.length > 0 && origins.every(({ origin }) => origin === 'changelog'),
  });
}

// Resumes a source that an earlier import has left paused. What an operator has paused after it was read stays paused.
async function resumeUnread(ctx: WriteContext, { source }: SourceInOrg): Promise<void> {
  const isUnread = source.last_polled_at === null && source.releases_written_at === null;
  if (source.fetch_priority !== 'paused' || !isUnread || isOwnPage(source)) return;
  await updateSource(ctx, { src: source.id }, { fetchPriority: 'normal' });
}

// True when the only page lists packages and not releases: there is nothing to poll.
function isOwnPage({ type, url }: { type: string; url: string | null }): boolean {
  return type === 'scrape' && (url === null || url.startsWith(REGISTRY_PAGE));
}

async function mappedPackage(ctx: WriteContext, name: string): Promise<PackageRow | null> {
  const row = await ctx.tx
    .selectFrom('packages')
    .selectAll()
    .where('ecosystem', '=', IMPORTED_ECOSYSTEM)
    .where('name', '=', normalizePackageName(IMPORTED_ECOSYSTEM, name))
    .executeTakeFirst();
  return row ?? null;
}

async function knownSource(
  ctx: WriteContext,
  { described, given, mapped }: { described: SourceDescription; given: ImportHints; mapped: PackageRow | null },
): Promise<SourceInOrg | null> {
  if (described.type === 'github') {
    const found = await sourcesOfCoordinate(ctx, described.repository.coordinate);
    return found.find(({ source }) => !isUnlisted(source)) ?? found[0] ?? null;
  }
  if (mapped) return findSource(ctx, { src: mapped.source_id });
  // A package that is in no package map is recognised by its name, and its page where it has one.
  const org = await knownOrg(ctx, described.org, given);
  const row = await ctx.tx
    .selectFrom('sources')
    .select('id')
    .where('org_id', org ? '=' : 'is', org?.id ?? null)
    .where('type', '=', 'scrape')
    .where('name', '=', described.name)
    .where('deleted_at', 'is', null)
    .$if(described.url !== null, (query) => query.where('url_key', '=', normalizeUrl(described.url ?? '') ?? ''))
    .orderBy('created_at')
    .executeTakeFirst();
  return row ? findSource(ctx, { src: row.id }) : null;
}

async function newSource(ctx: WriteContext, requested: PackageToAssign): Promise<SourceInOrg> {
  const { described, given, track, parser } = requested;
  const org = (await knownOrg(ctx, described.org, given)) ?? (await newOrg(ctx, described.org, given));
  const { id } = await createSource(ctx, {
    name: described.name,
    type: described.type,
    // A file from disk has no page of its own, so the source gets its page in this registry.
    url: described.url ?? `${ctx.config.webUrl}/${org?.slug ?? 'sources'}/${deriveSlug(described.name) ?? ''}`,
    orgId: org?.id,
    ...(parser ? { metadata: { parser } } : {}),
    fetchPriority: track && (parser !== undefined || !isOwnPage(described)) ? 'normal' : 'paused',
  });
  const sourceInOrg = await findSource(ctx, { src: id });
  if (!sourceInOrg) throw new Error('the source that was just made is gone');
  return sourceInOrg;
}

type OrgId = { id: string; slug: string };

async function knownOrg(ctx: WriteContext, org: OrgDescription | null, given: ImportHints): Promise<OrgId | null> {
  const wanted = usable(org, given);
  if (wanted === null) return null;
  // On the command line an org may also be named by its id or domain.
  const named = wanted.name === given.org ? await findOrg(ctx, given.org) : null;
  if (named) return named;
  if (wanted.github !== null) {
    const owner = wanted.github.toLowerCase();
    const id = (await orgOfAccount(ctx, owner)) ?? (await orgOfRepositories(ctx, owner));
    if (id !== null) return findOrg(ctx, id);
  }
  return findOrg(ctx, deriveSlug(wanted.name) ?? wanted.name);
}

async function newOrg(ctx: WriteContext, org: OrgDescription | null, given: ImportHints): Promise<OrgId | null> {
  const wanted = usable(org, given);
  if (wanted === null) return null;
  const accounts = wanted.github === null ? [] : [{ platform: 'github', handle: wanted.github }];
  return createOrg(ctx, { name: wanted.name, accounts });
}

// A name that is not valid for an org is replaced by the one on the command line.
function usable(org: OrgDescription | null, { org: named }: ImportHints): OrgDescription | null {
  const slug = org && deriveSlug(org.name);
  const fits = slug !== null && !isReservedOrgSlug(slug);
  return fits || named === undefined ? org : { name: named, github: null };
}

async function orgOfAccount(ctx: WriteContext, owner: string): Promise<string | null> {
  const row = await ctx.tx
    .selectFrom('org_accounts')
    .select('org_id')
    .where('platform', '=', 'github')
    .where(sql`lower(handle)`, '=', owner)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.org_id ?? null;
}

// Only when all sources of the owner belong to one org.
async function orgOfRepositories(ctx: WriteContext, owner: string): Promise<string | null> {
  const rows = await ctx.tx
    .selectFrom('sources')
    .select('org_id')
    .distinct()
    .where('github_coordinate', '>=', `${owner}/`)
    .where('github_coordinate', '<', `${owner}0`)
    .where('deleted_at', 'is', null)
    .where('org_id', 'is not', null)
    .limit(2)
    .execute();
  return rows.length === 1 ? (rows[0]?.org_id ?? null) : null;
}
