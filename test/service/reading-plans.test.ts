// The queries of readings, reports, what broke in a week and the upgrades that are shown find rows by key or walk an index.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { type Context, transact } from '../../src/context.ts';
import { advanceStarter } from '../../src/ingest/starter/advance.ts';
import { brokenInWeek } from '../../src/packages/breaking/week.ts';
import { readingsById } from '../../src/packages/readings/describe.ts';
import { orderReadings, type WantedReading } from '../../src/packages/readings/order.ts';
import { judgeReport } from '../../src/packages/reports/judge.ts';
import { reportProgress } from '../../src/packages/reports/read.ts';
import { mostAskedUpgrades } from '../../src/packages/shown-upgrades/list.ts';
import { beginStarter } from '../../src/packages/starter/starter.ts';
import { addShown } from '../../src/packages/whats-changed/note-asked.ts';
import { listPublished } from '../insight/published.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { forEachEngine } from '../support/engines.ts';
import { plan, type SeenStatement, statements, writtenStatements } from '../support/statements.ts';

const DAY_MS = 86_400_000;
const WEEK = { year: 2025, week: 20 };

// A whole table, but for those that stay small: what is shown, and the starter's packages.
const WHOLE =
  /SCAN [aderv]\b|(?:SCAN|Seq Scan on) (?:readings|releases|package_versions|package_states|evidence_pairs|report_packages)\b/;

forEachEngine('plans of readings and reports', (engine) => {
  let world: UpgradeWorld;
  let ctx: Context;
  before(async () => {
    // Without an address of their own the public registries date their versions.
    const env = { REGISTRY_NPM_URL: 'https://registry.npmjs.org', REGISTRY_PYPI_URL: 'https://pypi.org' };
    world = await openUpgradeWorld(engine, { env });
    ctx = world.ctx;
    for (let at = 0; at < 3; at += 1) {
      const versions = Array.from({ length: 300 }, (_, day) => ({ version: `${day}.0.0`, day }));
      await world.fill(versions);
      const published = versions.map(({ version, day }) => ({ version, publishedAt: dayOf(day) }));
      await listPublished(ctx, `p${at}`, published);
    }
    await orderReadings(
      ctx,
      Array.from({ length: 300 }, (_, at) => wanted(`q${at}`)),
      'list',
    );
    await transact(ctx, ({ tx }) => addShown(tx, [{ ecosystem: 'npm', name: 'p0', times: 1 }]), 'bookkeeping');
    await ctx.store.transaction((tx) => sql`ANALYZE`.execute(tx), 'bookkeeping');
  });

  const plansOf = async (seen: readonly SeenStatement[]) => {
    const plans: string[] = [];
    for (const query of seen)
      if (/^\s*select/i.test(query.sql)) plans.push(await plan(ctx, query, { asIfLarge: true }));
    return plans.join('\n');
  };

  it('what broke in a week is found by the days of its releases and versions', async () => {
    const reported = await plansOf(await statements(ctx, (watched) => brokenInWeek(watched, WEEK)));
    assert.match(reported, /releases_feed/);
    assert.match(reported, /package_versions_by_date/);
    assert.doesNotMatch(reported, WHOLE, reported);
  });

  it('readings are ordered, counted and taken in turn by their indexes', async () => {
    const one = wanted('p0');
    const read = await statements(ctx, (watched) => orderReadings(watched, [one], 'person'));
    const written = await writtenStatements(ctx, (watched) => orderReadings(watched, [wanted('p1')], 'person'));
    const [ordered] = await orderReadings(ctx, [wanted('q299')], 'list');
    const told = await statements(ctx, (watched) => readingsById(watched, [ordered?.id ?? '']));
    const reported = await plansOf([...read, ...written, ...told]);
    // Only those that come before it are counted.
    assert.match(
      reported,
      /SEARCH a USING INDEX readings_in_turn \(priority<\?\)|Index Cond: \(ROW\(priority, turn_at\) </,
    );
    assert.doesNotMatch(reported, WHOLE, reported);
  });

  it('the next steps of the starter look for open readings alone', async () => {
    await beginStarter(ctx, [{ ecosystem: 'npm', name: 'q1' }], true);
    await advanceStarter(ctx);
    const reported = await plansOf(await statements(ctx, advanceStarter));
    assert.match(reported, /readings_of_package|readings_in_turn/);
    assert.doesNotMatch(reported, WHOLE, reported);
  });

  it('a report and the upgrades that are shown are read by key, however much has changed elsewhere', async () => {
    const text = JSON.stringify({ dependencies: { p0: '1.0.0', p1: '1.0.0' } });
    const { id } = (await world.service.anonymous.post('/v1/reports', { text })).body;
    await world.service.anonymous.get(`/v1/reports/${id}`);
    const reported = await plansOf([
      ...(await statements(ctx, (watched) => judgeReport(watched, id, new Set()))),
      ...(await statements(ctx, (watched) => reportProgress(watched, id))),
      ...(await statements(ctx, (watched) => mostAskedUpgrades(watched, 5))),
    ]);
    assert.match(reported, /evidence_pairs/);
    assert.doesNotMatch(reported, WHOLE, reported);
  });
});

function dayOf(day: number): string {
  return new Date(Date.UTC(2025, 0, 1) + day * DAY_MS).toISOString();
}

function wanted(name: string): WantedReading {
  const missing = { listing: true, comparison: true, notes: true };
  return { ecosystem: 'npm', name, spelling: name, from: '1.0.0', to: '2.0.0', missing };
}
