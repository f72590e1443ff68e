// What changed for a whole project: its files are read into questions, which are answered in batches.
import type { Context } from '../../context.ts';
import { MOST_BATCH_ITEMS, type WhatsChangedBatch } from '../../contract/whats-changed.ts';
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { whatsChangedBatch } from './index.ts';
import { type UpgradeReport, upgradeReport } from './report.ts';

export async function projectReport(ctx: Context, read: ProjectUpgrades): Promise<UpgradeReport> {
  const items: WhatsChangedBatch['items'] = [];
  for (let start = 0; start < read.upgrades.length; start += MOST_BATCH_ITEMS) {
    const part = read.upgrades.slice(start, start + MOST_BATCH_ITEMS);
    const requested = part.map(({ ecosystem, name, from, to }) => ({ package: name, ecosystem, from, to }));
    items.push(...(await whatsChangedBatch(ctx, { items: requested })).items);
  }
  return upgradeReport(read, items);
}
