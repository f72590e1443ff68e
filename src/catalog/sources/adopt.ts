// Turns a source that a lookup created into a tracked and visible one when somebody adds its repository.
import { now, type WriteContext } from '../../context.ts';
import type { Discovery } from '../../contract/enums.ts';
import type { SourceRowShape } from '../../contract/source.ts';
import type { SourceCreate, SourcePatch } from '../../contract/source-input.ts';
import { delayedFirstFetch } from '../../domain/fetching/schedule.ts';
import { factsOf } from '../../domain/source-types.ts';
import { githubCoordinate, normalizeUrl } from '../../domain/urls.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { sourcesOfCoordinate } from '../lookups/by-coordinate.ts';
import { isUnlisted } from '../resolve.ts';
import { claimSlug, lockChildSlugs } from '../slug-claim.ts';
import { readMetadata, settingColumns } from './metadata.ts';
import { updateSource } from './update.ts';

interface Adoption {
  input: SourceCreate & { discovery?: Discovery };
  org: OrgRow | null;
  product: ProductRow | null;
}

// Null when no lookup has read the repository. Its releases do not change and are not announced.
export async function adoptLookupSource(ctx: WriteContext, adoption: Adoption): Promise<SourceRowShape | null> {
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
