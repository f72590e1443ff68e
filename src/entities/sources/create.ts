import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { Discovery } from '../../contract/enums.ts';
import { validationFailed } from '../../contract/errors.ts';
import type { SourceRowShape } from '../../contract/source.ts';
import type { SourceCreate, SourcePatch } from '../../contract/source-input.ts';
import { foldName } from '../../domain/clean-text.ts';
import { delayedFirstFetch } from '../../domain/fetching/schedule.ts';
import { newId } from '../../domain/ids.ts';
import { factsOf, inferredType } from '../../domain/source-types.ts';
import { githubCoordinate, normalizeUrl } from '../../domain/urls.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { recordAudit } from '../audit.ts';
import { refreshNames } from '../refresh-names.ts';
import { findProduct, isUnlisted, resolveOrg } from '../resolve.ts';
import { claimSlug, lockChildSlugs, sharedSlugWarning } from '../slug-claim.ts';
import { readMetadata, settingColumns } from './metadata.ts';
import { sourcesOfCoordinate } from './of-coordinate.ts';
import { clearOtherPrimaries } from './primary.ts';
import { refuseBlocked } from './refuse-blocked.ts';
import { oneSourceRow } from './source-fields.ts';
import { updateSource } from './update.ts';

export interface CreateSource extends SourceCreate {
  discovery?: Discovery;
}

export async function createSource(ctx: Context, input: CreateSource): Promise<SourceRowShape> {
  return transact(ctx, async (ctx) => {
    const org = await ownerOf(ctx, input);
    const product = await productOf(ctx, input, org);
    await lockChildSlugs(ctx, org?.id ?? null);
    await refuseBlocked(ctx, input.url, org);
    const adopted = await adoptLookupSource(ctx, { input, org, product });
    if (adopted) {
      if (org?.status === 'stub') await trackOrg(ctx, org.id);
      return { ...adopted, adopted: true };
    }
    const row = await insertSource(ctx, { input, org, product });
    const warnings = [
      await sharedUrlWarning(ctx, row),
      await sharedSlugWarning(ctx, { entity: 'source', orgId: row.org_id, slug: row.slug }),
    ].filter((text) => text !== null);
    if (row.is_primary) await clearOtherPrimaries(ctx, row);
    // A stub that gains a source becomes tracked.
    if (org?.status === 'stub') await trackOrg(ctx, org.id);
    await ctx.ports.releases.countNew(ctx, row.id);
    await ctx.ports.releases.countOrg(ctx, row.org_id);
    await recordAudit(ctx, { action: 'source.create', targetType: 'source', targetId: row.id, after: input });
    return { ...(await oneSourceRow(ctx, row)), ...(warnings.length > 0 ? { warning: warnings.join('; ') } : {}) };
  });
}

async function ownerOf(ctx: Context, input: CreateSource): Promise<OrgRow | null> {
  const field = input.orgId === undefined ? 'orgSlug' : 'orgId';
  const value = input.orgId ?? input.orgSlug;
  return value === undefined ? null : resolveOrg(ctx, value, { field });
}

async function productOf(ctx: Context, input: CreateSource, org: OrgRow | null): Promise<ProductRow | null> {
  const field = input.productId === undefined ? 'productSlug' : 'productId';
  const value = input.productId ?? input.productSlug;
  if (value === undefined) return null;
  const found = org && (await findProduct(ctx, { org: org.id, product: value }));
  if (!found) throw validationFailed([{ path: field, reason: 'must be a product of the same org' }]);
  return found.product;
}

async function insertSource(
  ctx: WriteContext,
  { input, org, product }: { input: CreateSource; org: OrgRow | null; product: ProductRow | null },
): Promise<SourceRow> {
  const settings = settingColumns(readMetadata(input.metadata ?? {}));
  const coordinate = settings.github_coordinate ?? githubCoordinate(input.url);
  const type = input.type ?? inferredType({ ...settings, github_coordinate: coordinate });
  const at = now(ctx);
  const values = {
    id: newId('src', ctx.randomBytes),
    org_id: org?.id ?? null,
    product_id: product?.id ?? null,
    slug: await claimSlug(ctx, { entity: 'source', org, slug: input.slug, name: input.name }),
    name: input.name,
    name_key: foldName(input.name),
    type,
    url: input.url,
    url_key: normalizeUrl(input.url) ?? input.url,
    kind: input.kind ?? null,
    ...settings,
    github_coordinate: factsOf(type).isRepository ? coordinate : settings.github_coordinate,
    is_primary: input.isPrimary ? 1 : 0,
    is_hidden: input.isHidden ? 1 : 0,
    discovery: input.discovery ?? 'curated',
    fetch_priority: input.fetchPriority ?? 'normal',
    next_fetch_after: input.fetch === false ? delayedFirstFetch({ at, pollHours: ctx.config.pollHours }) : null,
    created_at: at,
    updated_at: at,
  } satisfies Partial<SourceRow>;
  const row = await ctx.tx
    .insertInto('sources')
    .values(values as never)
    .returningAll()
    .executeTakeFirstOrThrow();
  await refreshNames(ctx, [{ type: 'source', id: row.id }]);
  return row;
}

async function sharedUrlWarning(ctx: WriteContext, row: SourceRow): Promise<string | null> {
  const other = await ctx.tx
    .selectFrom('sources')
    .select('id')
    .where('url_key', '=', row.url_key)
    .where('id', '<>', row.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return other ? `the source ${other.id} has the same address` : null;
}

async function trackOrg(ctx: WriteContext, orgId: string): Promise<void> {
  await ctx.tx
    .updateTable('orgs')
    .set({ status: 'tracked', tracking_requested_at: null, updated_at: now(ctx) })
    .where('id', '=', orgId)
    .execute();
}

// Turns a source that a lookup created into a tracked and visible one when somebody adds its repository.

interface Adoption {
  input: SourceCreate & { discovery?: Discovery };
  org: OrgRow | null;
  product: ProductRow | null;
}

// Null when no lookup has read the repository. Its releases do not change and are not announced.
async function adoptLookupSource(ctx: WriteContext, adoption: Adoption): Promise<SourceRowShape | null> {
  const held = await heldByLookup(ctx, adoption.input);
  if (held === null) return null;
  return updateSource(ctx, { src: held.source.id }, await patchFor(ctx, held, adoption));
}

interface Held {
  source: SourceRow;
  org: OrgRow | null;
}

async function heldByLookup(
  ctx: WriteContext,
  { type, url, metadata, discovery }: Adoption['input'],
): Promise<Held | null> {
  // A lookup that creates its own source adopts nothing.
  if (discovery === 'on_demand' || (type !== undefined && !factsOf(type).isRepository)) return null;
  const coordinate = settingColumns(readMetadata(metadata ?? {})).github_coordinate ?? githubCoordinate(url);
  if (coordinate === null) return null;
  return (await sourcesOfCoordinate(ctx, coordinate)).find(({ source }) => isUnlisted(source)) ?? null;
}

async function patchFor(ctx: WriteContext, held: Held, { input, org, product }: Adoption): Promise<SourcePatch> {
  const { source } = held;
  const owner = org ?? held.org;
  await lockChildSlugs(ctx, owner?.id ?? null);
  const claim = { entity: 'source', org: owner, slug: input.slug, name: input.name, exceptId: source.id } as const;
  // Another spelling of the same URL is no reason to read the source again.
  const isMoved = normalizeUrl(input.url) !== source.url_key;
  const { pollHours } = ctx.config;
  const waits = input.fetch === false ? delayedFirstFetch({ at: now(ctx), pollHours }) : null;
  return {
    name: input.name,
    slug: await claimSlug(ctx, claim),
    ...(isMoved ? { url: input.url } : {}),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    ...(org === null ? {} : { orgId: org.id }),
    ...(product === null ? {} : { productId: product.id }),
    ...(input.kind === undefined ? {} : { kind: input.kind }),
    ...(input.isPrimary === undefined ? {} : { isPrimary: input.isPrimary }),
    isHidden: input.isHidden ?? false,
    fetchPriority: input.fetchPriority ?? 'normal',
    discovery: input.discovery ?? 'curated',
    nextFetchAfter: waits,
  };
}
