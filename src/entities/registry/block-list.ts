// URLs and domains that must not be imported: sources, sync plans and release URLs are checked against the list.
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import type { BlockedUrl, BlockInput, BlockType } from '../../contract/blocklist.ts';
import { notFound, validationFailed } from '../../contract/errors.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { newId } from '../../domain/ids.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import { isHttpUrl, normalizeUrl } from '../../domain/urls.ts';
import type { BlockedUrlRow } from '../../store/schema/operation.ts';
import { recordAudit } from '../audit.ts';

export async function listBlocked(ctx: Context, input: { page: number; limit: number }): Promise<Page<BlockedUrl>> {
  const blocked = queries(ctx).selectFrom('blocked_urls');
  const counted = await blocked.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await blocked
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const pagination = paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) });
  return { items: rows.map(shape), pagination };
}

// The row that blocks this URL: its own, otherwise that of the nearest domain.
export async function findBlocking(ctx: Context, url: string): Promise<BlockedUrl | null> {
  const key = urlKey(url);
  if (key === null) return null;
  const domains = suffixesOf(normalizeDomain(new URL(`http://${key}`).hostname) ?? '');
  const rows = await queries(ctx)
    .selectFrom('blocked_urls')
    .selectAll()
    .where('pattern_key', 'in', [key, ...domains])
    .execute();
  const ranked = ['exact', ...domains];
  const rank = (row: BlockedUrlRow) => ranked.indexOf(row.type === 'exact' ? 'exact' : row.pattern_key);
  const covering = rows.filter((row) => row.type === 'domain' || row.pattern_key === key);
  const [nearest] = covering.sort((a, b) => rank(a) - rank(b));
  return nearest ? shape(nearest) : null;
}

// Blocking again is not an error; a given type or reason then replaces the stored one.
export async function blockUrl(ctx: Context, input: BlockInput): Promise<void> {
  const key = input.type === 'domain' ? normalizeDomain(input.pattern) : urlKey(input.pattern);
  if (key === null) {
    const reason = input.type === 'domain' ? 'must be a domain' : 'must be an http or https address';
    throw validationFailed([{ path: 'pattern', reason }]);
  }
  await transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, 'blocked_urls');
    const before = await findStored(ctx, { pattern: input.pattern, type: input.type, key });
    const row: BlockedUrlRow = {
      id: before?.id ?? newId('bu', ctx.randomBytes),
      pattern: before?.pattern ?? input.pattern,
      pattern_key: key,
      type: input.type,
      reason: input.reason ?? before?.reason ?? null,
      created_at: before?.created_at ?? now(ctx),
    };
    await ctx.tx
      .insertInto('blocked_urls')
      .values(row)
      .onConflict((oc) => oc.column('id').doUpdateSet(row))
      .execute();
    await recordAudit(ctx, {
      action: 'blocklist.add',
      targetType: 'blocked_url',
      targetId: row.id,
      before: before && shape(before),
      after: shape(row),
    });
  });
}

export async function unblockUrl(ctx: Context, { pattern }: { pattern: string }): Promise<void> {
  await transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, 'blocked_urls');
    const exact = { pattern, type: 'exact', key: urlKey(pattern) ?? '' } as const;
    const domain = { pattern, type: 'domain', key: normalizeDomain(pattern) ?? '' } as const;
    const stored = (await findStored(ctx, exact)) ?? (await findStored(ctx, domain));
    if (!stored) throw notFound('blocked_url', pattern);
    await ctx.tx.deleteFrom('blocked_urls').where('id', '=', stored.id).execute();
    const entry = { targetType: 'blocked_url', targetId: stored.id, before: shape(stored) };
    await recordAudit(ctx, { action: 'blocklist.remove', ...entry });
  });
}

// The stored spelling, or another spelling of the same URL.
async function findStored(
  ctx: WriteContext,
  wanted: { pattern: string; type: BlockType; key: string },
): Promise<BlockedUrlRow | null> {
  const rows = ctx.tx.selectFrom('blocked_urls').selectAll();
  const asWritten = await rows.where('pattern', '=', wanted.pattern).executeTakeFirst();
  if (asWritten) return asWritten;
  const sameKey = rows.where('type', '=', wanted.type).where('pattern_key', '=', wanted.key);
  return (await sameKey.executeTakeFirst()) ?? null;
}

function urlKey(pattern: string): string | null {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) ? pattern : `https://${pattern}`;
  return isHttpUrl(url) ? normalizeUrl(url) : null;
}

// docs.acme.dev → docs.acme.dev, acme.dev, dev
function suffixesOf(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

function shape(row: BlockedUrlRow): BlockedUrl {
  return {
    id: row.id,
    pattern: row.pattern,
    type: row.type,
    reason: row.reason,
    createdAt: row.created_at,
  };
}
