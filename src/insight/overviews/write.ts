import { type Context, now, transact, type WriteContext } from '../../context.ts';
import type { Overview } from '../../contract/overview.ts';
import type { OverviewInput } from '../../contract/overview-input.ts';
import { newId } from '../../domain/ids.ts';
import { recordAudit } from '../../entities/audit.ts';
import { findOverview, findPage, type OverviewOwner } from '../../entities/overviews/read.ts';
import { type ProductPath, resolveOrg, resolveProduct } from '../../entities/resolve.ts';
import { citationSpans, citedReleases, insertCitations } from './citations.ts';

type OverviewPath = { org: string } | { product: ProductPath };

// Replaces text and citations; the id of the page stays.
export async function writeOverview(
  ctx: Context,
  input: { path: OverviewPath; overview: OverviewInput },
): Promise<Overview> {
  const { content, citations } = input.overview;
  const spans = citationSpans(content, citations);
  return transact(ctx, async (ctx) => {
    const owner = await ownerOf(ctx, input.path);
    const releases = await citedReleases(ctx, owner.org.id, citations);
    const before = await findOverview(ctx, owner);
    const pageId = await storePage(ctx, owner, { overview: input.overview });
    await ctx.tx.deleteFrom('page_citations').where('page_id', '=', pageId).execute();
    await insertCitations(
      ctx,
      pageId,
      spans.map((span, index) => ({
        ...span,
        sourceUrl: citations[index]?.sourceUrl ?? '',
        title: citations[index]?.title || null,
        releaseId: releases[index] ?? null,
      })),
    );
    const after = await findOverview(ctx, owner);
    if (!after) throw new Error(`page ${pageId} is not there`);
    await recordAudit(ctx, { action: 'overview.write', ...targetOf(owner), before: before?.content, after: content });
    return after;
  });
}

// Idempotent: an owner without an overview is not an error.
export async function deleteOverview(ctx: Context, path: OverviewPath): Promise<void> {
  await transact(ctx, async (ctx) => {
    const owner = await ownerOf(ctx, path);
    const page = await findPage(ctx, owner);
    if (!page) return;
    await ctx.tx.deleteFrom('pages').where('id', '=', page.id).execute();
    await recordAudit(ctx, { action: 'overview.delete', ...targetOf(owner), before: page.content });
  });
}

async function ownerOf(ctx: WriteContext, path: OverviewPath): Promise<OverviewOwner> {
  const owner = 'org' in path ? { org: await resolveOrg(ctx, path.org) } : await resolveProduct(ctx, path.product);
  await ctx.store.dialect.lock(ctx.tx, `pages ${owner.org.id}`);
  return owner;
}

function targetOf({ org, product }: OverviewOwner) {
  return product ? { targetType: 'product', targetId: product.id } : { targetType: 'org', targetId: org.id };
}

export interface GeneratedOverview {
  // The time when its releases were read.
  at: string;
  content: string;
  releaseCount: number;
  lastContributingReleaseAt: string | null;
  origin: 'rules' | 'model';
  citations: readonly {
    releaseId: string;
    sourceUrl: string;
    title: string | null;
    startIndex: number;
    endIndex: number;
    // The exact text in the release.
    citedText: string;
  }[];
}

// Stores a generated text that its generator has checked. The same text again updates only `generatedAt`. `insteadOf`
// is the text that was read before generating: if somebody has written another one meanwhile, that one stays.
export async function storeGeneratedOverview(
  ctx: Context,
  owner: OverviewOwner,
  { insteadOf, ...overview }: GeneratedOverview & { insteadOf?: string },
): Promise<void> {
  await transact(
    ctx,
    async (ctx) => {
      await ctx.store.dialect.lock(ctx.tx, `pages ${owner.org.id}`);
      if (insteadOf !== undefined && (await findPage(ctx, owner))?.content !== insteadOf) return;
      const pageId = await storePage(ctx, owner, { overview, origin: overview.origin, at: overview.at });
      await ctx.tx.deleteFrom('page_citations').where('page_id', '=', pageId).execute();
      await insertCitations(
        ctx,
        pageId,
        overview.citations.map(({ startIndex, endIndex, citedText, ...citation }) => ({
          ...citation,
          start_index: startIndex,
          end_index: endIndex,
          cited_text: citedText,
        })),
      );
    },
    'derived',
  );
}

interface StoredOverview {
  content: string;
  releaseCount: number;
  lastContributingReleaseAt?: string | null;
}

async function storePage(
  ctx: WriteContext,
  owner: OverviewOwner,
  page: { overview: StoredOverview; origin?: 'operator' | 'rules' | 'model'; at?: string },
): Promise<string> {
  const { overview, origin = 'operator', at = now(ctx) } = page;
  const stored = await findPage(ctx, owner);
  const columns = {
    content: overview.content,
    release_count: overview.releaseCount,
    last_contributing_release_at: overview.lastContributingReleaseAt ?? null,
    generated_at: at,
    updated_at: origin !== 'operator' && stored?.content === overview.content ? stored.updated_at : at,
    origin,
  };
  if (stored) {
    await ctx.tx
      .updateTable('pages')
      .set(columns)
      .where('id', '=', stored.id)
      .where('org_id', '=', owner.org.id)
      .$if(owner.product != null, (query) => query.where('product_id', '=', owner.product?.id ?? ''))
      .execute();
    return stored.id;
  }
  const id = newId('kp', ctx.randomBytes);
  await ctx.tx
    .insertInto('pages')
    .values({
      id,
      scope: owner.product ? 'product' : 'org',
      org_id: owner.org.id,
      product_id: owner.product?.id ?? null,
      notes: null,
      ...columns,
    })
    .execute();
  return id;
}
