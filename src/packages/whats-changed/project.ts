// What changed for a whole project: its files are read into questions, which are answered in batches.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { MAX_BATCH_ITEMS, type WhatsChangedBatch } from '../../contract/whats-changed.ts';
import { elementAt } from '../../domain/records.ts';
import type { ProjectUpgrades } from '../../domain/upgrade/lockfiles/upgrades.ts';
import { worthAsking } from '../../domain/upgrade/report/ask-again.ts';
import { endLongTurn } from '../../threads/turns.ts';
import { whatsChanged, whatsChangedOfAll } from './index.ts';
import { type UpgradeReport, upgradeReport } from './report.ts';

export async function projectReport(ctx: Context, read: ProjectUpgrades): Promise<UpgradeReport> {
  const items: WhatsChangedBatch['items'] = [];
  const questions = read.upgrades.map(({ ecosystem, name, from, to }) => ({ package: name, ecosystem, from, to }));
  for (let start = 0; start < questions.length; start += MAX_BATCH_ITEMS) {
    await endLongTurn();
    const part = questions.slice(start, start + MAX_BATCH_ITEMS);
    items.push(...(await whatsChangedOfAll(ctx, part)));
  }
  for (const at of worthAsking(items.map((item) => ('error' in item ? null : item)))) {
    items[at] = { index: at, ...(await whatsChanged(ctx, elementAt(questions, at), 'list')) };
  }
  // A report of thousands of packages takes a turn of its own.
  await nextTurn();
  return upgradeReport(read, items);
}
