// Settings that decide about releases also apply to stored ones: changing them enqueues a job.
import type { WriteContext } from '../../context.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { enqueue } from '../queue/enqueue.ts';

// Keys of `settings`. Categories are not stored, so `categoryAllow` applies to new items only.
const KEYS = ['itemAllow', 'itemDeny', 'tagAllow', 'tagDeny', 'ignoreVersions', 'prereleaseVersions'] as const;

export type AppliedSettings = Partial<Record<(typeof KEYS)[number], string[]>>;

function appliedSettings({ settings }: Pick<SourceRow, 'settings'>): AppliedSettings {
  const all = parseJson(settings);
  return Object.fromEntries(KEYS.flatMap((key) => (all[key]?.length ? [[key, all[key]]] : [])));
}

// Called in the transaction of the change. Each change has its own job, which knows the previous settings.
export async function enqueueReapply(ctx: WriteContext, before: SourceRow, after: SourceRow): Promise<void> {
  const held = appliedSettings(before);
  const isSame = JSON.stringify(held) === JSON.stringify(appliedSettings(after));
  if (isSame && before.version_scheme === after.version_scheme) return;
  const mark = Buffer.from(ctx.randomBytes(8)).toString('hex');
  const payload = { before: held };
  await enqueue(ctx, { key: `reapply:${after.id}:${mark}`, kind: 'reapply', sourceId: after.id, payload });
}
