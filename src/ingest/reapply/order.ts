// Settings that speak of releases hold for stored ones too: a change of them is worked through in a job of its own.
import type { WriteContext } from '../../context.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { enqueue } from '../queue/enqueue.ts';

// Names in `settings`; categories of items are not stored, so `categoryAllow` holds for what comes.
const KEYS = ['itemAllow', 'itemDeny', 'tagAllow', 'tagDeny', 'ignoreVersions', 'prereleaseVersions'] as const;

export type AppliedSettings = Partial<Record<(typeof KEYS)[number], string[]>>;

function appliedSettings({ settings }: Pick<SourceRow, 'settings'>): AppliedSettings {
  const all = parseJson(settings);
  return Object.fromEntries(KEYS.flatMap((key) => (all[key]?.length ? [[key, all[key]]] : [])));
}

// In the transaction of the change. Each change has its own job, which knows what held before it.
export async function orderReapplying(ctx: WriteContext, before: SourceRow, after: SourceRow): Promise<void> {
  const held = appliedSettings(before);
  const isSame = JSON.stringify(held) === JSON.stringify(appliedSettings(after));
  if (isSame && before.version_scheme === after.version_scheme) return;
  const mark = Buffer.from(ctx.randomBytes(8)).toString('hex');
  const payload = { before: held };
  await enqueue(ctx, { key: `reapply:${after.id}:${mark}`, kind: 'reapply', sourceId: after.id, payload });
}
