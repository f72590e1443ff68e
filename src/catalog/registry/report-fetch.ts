import { type Context, transact } from '../../context.ts';
import type { FetchLogItem, FetchReport } from '../../contract/admin-logs.ts';
import { recordAudit } from '../audit.ts';
import { resolveSource } from '../resolve.ts';
import { fetchLogItem } from './fetch-log.ts';
import { recordFetch } from './record-fetch.ts';

// A run of somebody else's fetcher, counted like one of the service.
export async function reportFetch(ctx: Context, report: FetchReport): Promise<FetchLogItem> {
  return transact(ctx, async (ctx) => {
    const { source, org } = await resolveSource(ctx, { src: report.sourceId }, { field: 'sourceId' });
    const row = await recordFetch(ctx, {
      ...report,
      sourceId: source.id,
      trigger: 'agent',
      // Every log status is also the name of an outcome, or of a run without one.
      result: report.errorCategory ?? report.status,
    });
    const after = fetchLogItem({
      ...row,
      sourceSlug: source.slug,
      sourceName: source.name,
      orgSlug: org?.slug ?? null,
      orgName: org?.name ?? null,
    });
    await recordAudit(ctx, { action: 'fetch_log.create', targetType: 'source', targetId: source.id, after });
    return after;
  });
}
