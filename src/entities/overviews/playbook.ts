// The private page of an org for its maintainers: the current state of its sources, and notes.
import { type Context, now, queries, transact } from '../../context.ts';
import type { Playbook } from '../../contract/overview.ts';
import type { SourceItem } from '../../contract/source.ts';
import { newId } from '../../domain/ids.ts';
import type { PageRow } from '../../store/schema/insight.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { openOrg } from '../open.ts';
import { resolveOrg } from '../resolve.ts';
import { countedSourceItems } from '../sources/source-fields.ts';

export async function readPlaybook(ctx: Context, input: { org: string }): Promise<Playbook | null> {
  const org = await openOrg(ctx, input.org);
  return composePlaybook(ctx, org, await countedSourceItems(ctx, { orgId: org.id }));
}

// The header is composed at every read, so that it is never outdated.
export async function composePlaybook(
  ctx: Context,
  org: OrgRow,
  sources: readonly SourceItem[],
): Promise<Playbook | null> {
  const page = await findPlaybook(ctx, org.id);
  const notes = page?.notes ?? null;
  if (sources.length === 0 && notes === null) return null;
  const updatedAt = page?.updated_at ?? org.updated_at;
  const header = [`# ${org.name}`, ...sourceLines(sources)].join('\n');
  return {
    scope: 'playbook',
    content: notes === null ? header : `${header}\n\n## Notes\n\n${notes}`,
    notes,
    releaseCount: sources.reduce((sum, { releaseCount }) => sum + releaseCount, 0),
    lastContributingReleaseAt: newest(sources.map(({ latestDate }) => latestDate)),
    // The header is as old as the newest fact in it, so that an unchanged one stays the same answer.
    generatedAt: newest([updatedAt, ...sources.flatMap(timesOf)]) ?? updatedAt,
    updatedAt,
  };
}

function timesOf({ lastFetchedAt, latestAddedAt, fetchState }: SourceItem): (string | null)[] {
  return [lastFetchedAt, latestAddedAt, fetchState.since];
}

function newest(times: readonly (string | null)[]): string | null {
  return (
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  );
}

function sourceLines(sources: readonly SourceItem[]): string[] {
  if (sources.length === 0) return [];
  return ['', '## Sources', '', ...sources.map(sourceLine)];
}

function sourceLine(source: SourceItem): string {
  const { state, outcome, since } = source.fetchState;
  const facts = [`${source.type}, ${source.fetchPriority}`, source.url];
  if (state === 'paused') facts.push('paused');
  if (state === 'failing') facts.push(`failing${outcome ? ` (${outcome})` : ''}${since ? ` since ${since}` : ''}`);
  if (state === 'never_fetched') facts.push('never fetched');
  return `- **${source.name}** (\`${source.slug}\`): ${facts.join('; ')}`;
}

export async function writePlaybookNotes(
  ctx: Context,
  input: { org: string; notes: string | null },
): Promise<{ ok: true; notes: string | null }> {
  const notes = input.notes?.trim() ? input.notes : null;
  return transact(ctx, async (ctx) => {
    const org = await resolveOrg(ctx, input.org);
    await ctx.store.dialect.lock(ctx.tx, `pages ${org.id}`);
    const page = await findPlaybook(ctx, org.id);
    if ((page?.notes ?? null) === notes) return { ok: true, notes };
    const at = now(ctx);
    if (page) await ctx.tx.updateTable('pages').set({ notes, updated_at: at }).where('id', '=', page.id).execute();
    else
      await ctx.tx
        .insertInto('pages')
        .values({ ...emptyPlaybook(ctx, org.id, at), notes })
        .execute();
    await recordAudit(ctx, {
      action: 'playbook.notes',
      targetType: 'org',
      targetId: org.id,
      before: { notes: page?.notes ?? null },
      after: { notes },
    });
    return { ok: true, notes };
  });
}

function emptyPlaybook(ctx: Context, orgId: string, at: string): PageRow {
  return {
    id: newId('kp', ctx.randomBytes),
    scope: 'playbook',
    org_id: orgId,
    product_id: null,
    content: '',
    notes: null,
    release_count: 0,
    last_contributing_release_at: null,
    generated_at: at,
    updated_at: at,
    origin: 'operator',
  };
}

function findPlaybook(ctx: Context, orgId: string): Promise<PageRow | undefined> {
  return queries(ctx)
    .selectFrom('pages')
    .selectAll()
    .where('scope', '=', 'playbook')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
}
