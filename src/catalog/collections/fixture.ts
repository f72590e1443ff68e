// Rows for the tests of collections, taxonomy and registry: unique by themselves, everything else as the test says.
import { type Context, now, transact } from '../../context.ts';
import { type Caller, SYSTEM } from '../../contract/caller.ts';
import type { ReleaseInput } from '../../contract/release-input.ts';
import { newId } from '../../domain/ids.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import type { OrgRow, ProductRow, SourceRow } from '../../store/schema.ts';
import { relistSources } from '../releases/relist.ts';
import { writeReleases } from '../releases/write-batch.ts';
import { settingColumns } from '../sources/metadata.ts';

export const ROOT: Caller = { kind: 'root', name: 'root', scope: 'admin', tokenId: null, ip: '' };
export const WRITER: Caller = { kind: 'token', name: 'writer', scope: 'write', tokenId: 'tok_writer', ip: '' };
export const VISITOR: Caller = { ...SYSTEM, kind: 'anonymous', name: 'anonymous', scope: null };

export function as(ctx: Context, caller: Caller): Context {
  return { ...ctx, caller, answer: { unlisted: false } };
}

type Given<Row> = Partial<Row> & { slug: string };

export async function makeOrg(ctx: Context, given: Given<OrgRow>): Promise<OrgRow> {
  const name = given.name ?? given.slug;
  return transact(ctx, ({ tx }) =>
    tx
      .insertInto('orgs')
      .values({
        id: newId('org', ctx.randomBytes),
        name,
        name_key: name.toLowerCase(),
        status: 'tracked',
        discovery: 'curated',
        created_at: now(ctx),
        updated_at: now(ctx),
        ...given,
      } as OrgRow)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

export async function makeProduct(ctx: Context, given: Given<ProductRow> & { org_id: string }): Promise<ProductRow> {
  const name = given.name ?? given.slug;
  return transact(ctx, ({ tx }) =>
    tx
      .insertInto('products')
      .values({
        id: newId('prod', ctx.randomBytes),
        name,
        name_key: name.toLowerCase(),
        created_at: now(ctx),
        updated_at: now(ctx),
        ...given,
      } as ProductRow)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

export async function makeSource(ctx: Context, given: Given<SourceRow>): Promise<SourceRow> {
  const id = newId('src', ctx.randomBytes);
  const name = given.name ?? given.slug;
  const url = given.url ?? `https://releases.example/${id}`;
  return transact(ctx, ({ tx }) =>
    tx
      .insertInto('sources')
      .values({
        ...settingColumns({}),
        id,
        name,
        name_key: name.toLowerCase(),
        type: 'feed',
        url,
        url_key: normalizeUrl(url) ?? url,
        discovery: 'curated',
        created_at: now(ctx),
        updated_at: now(ctx),
        ...given,
      } as SourceRow)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

// One release for each version, a day apart, the last one newest.
export async function addReleases(
  ctx: Context,
  source: SourceRow,
  versions: readonly string[],
  more: Partial<ReleaseInput> = {},
): Promise<void> {
  const today = Date.parse(now(ctx).slice(0, 10));
  const rows = versions.map((version, index) => ({
    title: version,
    version,
    content: `Notes of ${version}`,
    url: `https://releases.example/${source.id}/${version}`,
    publishedAt: new Date(today - (versions.length - 1 - index) * 86_400_000).toISOString(),
    ...more,
  }));
  await writeReleases(as(ctx, SYSTEM), { path: { src: source.id }, rows });
}

export async function hide(ctx: Context, source: SourceRow): Promise<void> {
  await transact(ctx, async (inner) => {
    await inner.tx.updateTable('sources').set({ is_hidden: 1 }).where('id', '=', source.id).execute();
    await relistSources(inner, [source.id]);
  });
}

// What a caller sees: rows of one engine have no prototype, which no reader of JSON can tell.
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

// Twenty callers at once: what each got, or the code of its refusal.
export async function atOnce<T>(work: (index: number) => Promise<T>): Promise<(T | string)[]> {
  const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => work(index)));
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (one.reason?.code === undefined || one.reason?.name !== 'ApiError') throw one.reason;
    return one.reason.code as string;
  });
}
