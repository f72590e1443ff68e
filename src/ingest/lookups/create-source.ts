// Creates the hidden source of a repository or a package that was looked up, and the hidden org that it may need.
import { consumeSharedLimit } from '../../accounts/limits.ts';
import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import { SYSTEM } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { PACKAGE_PARSER, packagePage } from '../../domain/package-page.ts';
import { deriveSlug, isReservedOrgSlug } from '../../domain/slugs.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import { lockOrgs } from '../../entities/org-claims.ts';
import { insertOrg } from '../../entities/orgs/create.ts';
import { putPackage } from '../../entities/packages/put.ts';
import { findSource, type SourceInOrg } from '../../entities/resolve.ts';
import { createSource } from '../../entities/sources/create.ts';
import { setFormerNames } from '../../entities/sources/former-names.ts';
import { sourcesOfCoordinate } from '../../entities/sources/of-coordinate.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { addressOf, registryAddresses } from '../registries/addresses.ts';
import type { AskedPackage } from './asked.ts';
import { findRelatedOrg } from './related-org.ts';

const DAY_MS = 24 * 3_600_000;

// One of the sources that lookups may make in a day.
export async function spendDaily(ctx: Context): Promise<void> {
  const { daily } = ctx.config.lookups;
  const at = ctx.clock();
  const windowSeconds = Math.ceil((DAY_MS - (at.getTime() % DAY_MS)) / 1000);
  const key = `lookups:daily:${at.toISOString().slice(0, 10)}`;
  const { allowed, seconds } = await consumeSharedLimit(ctx, { key, limit: daily, windowSeconds });
  if (!allowed) {
    const details = { limit: daily, scope: 'installation' };
    const headers = { 'Retry-After': String(seconds) };
    throw new ApiError('limit_exceeded', `more than ${daily} new sources by lookup today`, details, headers);
  }
}

interface LookedUp {
  // The requested name in lower case; a former name when the host has another one.
  coordinate: string;
  fullName: string;
}

// The source that another process has made meanwhile, or a new one.
export async function createLookupSource(ctx: Context, { coordinate, fullName }: LookedUp): Promise<SourceRow> {
  const current = githubCoordinate(fullName) ?? coordinate;
  return transact(ctx, async (outer) => {
    // The source is created as the service: a lookup is no edit of the caller, and the source may join an org that the caller
    // cannot see.
    const inner = { ...outer, caller: SYSTEM };
    await lockOrgs(inner);
    const [known] = await sourcesOfCoordinate(inner, current);
    if (known) return known.source;
    const [owner = '', name = ''] = fullName.split('/');
    const { id } = await createSource(inner, {
      name,
      url: `https://github.com/${fullName}`,
      type: 'github',
      orgId: (await findRelatedOrg(inner, current))?.org.id ?? (await hiddenOrg(inner, owner)),
      isHidden: true,
      discovery: 'on_demand',
    });
    if (current !== coordinate) await setFormerNames(inner, id, [coordinate]);
    return inner.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  });
}

// Reuses the hidden org that an earlier lookup of the same owner has created, or creates it.
async function hiddenOrg(ctx: WriteContext, owner: string): Promise<string> {
  const login = owner.toLowerCase();
  const earlier = await ctx.tx
    .selectFrom('orgs as o')
    .innerJoin('sources as s', 's.org_id', 'o.id')
    .select('o.id')
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 1)
    .where('o.discovery', '=', 'on_demand')
    .where('s.github_coordinate', '>=', `${login}/`)
    .where('s.github_coordinate', '<', `${login}0`)
    .orderBy('o.created_at')
    .executeTakeFirst();
  if (earlier) return earlier.id;
  const slug = await freeOrgSlug(ctx, login);
  return (await insertOrg(ctx, { slug, name: owner, domain: null, is_hidden: 1, discovery: 'on_demand' })).id;
}

async function freeOrgSlug(ctx: WriteContext, owner: string): Promise<string> {
  const wanted = deriveSlug(owner, 70) ?? 'owner';
  const taken = await ctx.tx
    .selectFrom('orgs')
    .select('slug')
    .where('slug', 'like', `${wanted}%`)
    .where('deleted_at', 'is', null)
    .execute();
  const slugs = new Set(taken.map(({ slug }) => slug));
  for (let number = 2, slug = wanted; ; number += 1) {
    if (!slugs.has(slug) && !isReservedOrgSlug(slug)) return slug;
    slug = `${wanted}-${number}`;
  }
}

interface LookedUpPackage extends AskedPackage {
  // In the scope of a private registry.
  isPrivate: boolean;
}

// The source on the page of a package, with the entry of the package map that leads to it.
export async function createPackageSource(ctx: Context, asked: LookedUpPackage): Promise<SourceRow> {
  const { ecosystem, name, spelling, isPrivate } = asked;
  return transact(ctx, async (outer) => {
    const inner = { ...outer, caller: SYSTEM };
    await inner.store.dialect.lock(inner.tx, `package ${ecosystem} ${name}`);
    const mapped = await mappedSource(inner, asked);
    if (mapped) return mapped.source;
    const { id } = await createSource(inner, {
      name: spelling,
      url: await pageOf(inner, asked),
      type: 'scrape',
      metadata: { parser: PACKAGE_PARSER },
      isHidden: true,
      // Sources on demand can be read by everybody who has their id.
      discovery: isPrivate ? 'curated' : 'on_demand',
    });
    await putPackage(inner, { ecosystem, name: spelling, sourceId: id, packagePart: null, origin: 'ingest' });
    return inner.tx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  });
}

// The source that the package map names, visible or not.
export async function mappedSource(ctx: Context, { ecosystem, name }: AskedPackage): Promise<SourceInOrg | null> {
  const entry = await queries(ctx)
    .selectFrom('packages')
    .select('source_id')
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .executeTakeFirst();
  return entry ? findSource(ctx, { src: entry.source_id }) : null;
}

// What a private registry has is nowhere shown to people; its address there stands for the page.
async function pageOf(ctx: Context, { ecosystem, name, spelling, isPrivate }: LookedUpPackage): Promise<string> {
  const address = isPrivate ? addressOf(await registryAddresses(ctx), { ecosystem, name, registry: null }) : null;
  return address === null ? packagePage({ ecosystem, name: spelling }) : `${address.url}/${spelling}`;
}
