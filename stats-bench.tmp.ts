import { mkdtempSync } from 'node:fs';
import { createApp } from '/work/main/src/app.ts';
import { readConfig } from '/work/main/src/config.ts';
import { readStats } from '/work/main/src/catalog/registry/stats.ts';
import { listFetchLog } from '/work/main/src/catalog/registry/fetch-log.ts';
import { stuckSources } from '/work/main/src/catalog/registry/stuck-sources.ts';
import { listCategories } from '/work/main/src/catalog/taxonomy/list-categories.ts';
import { sql } from 'kysely';
const dir = mkdtempSync('/tmp/stats-bench-');
const app = await createApp(readConfig({ REGISTRY_DATA_DIR: dir, REGISTRY_LOG_LEVEL: 'silent', REGISTRY_ROOT_KEY: 'x'.repeat(40) }));
await app.ctx.store.migrate();
await app.ctx.store.transaction(async (tx) => {
  const at = new Date().toISOString();
  await sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 5000)
    INSERT INTO orgs (id, slug, name, name_key, status, discovery, category, created_at, updated_at)
    SELECT 'org_'||i, 'o'||i, 'o'||i, 'o'||i, 'tracked', 'curated', CASE i%5 WHEN 0 THEN 'ai' WHEN 1 THEN 'cloud' ELSE 'crm' END, ${at}, ${at} FROM n`.execute(tx);
  await sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 10000)
    INSERT INTO sources (id, org_id, slug, name, name_key, type, url, url_key, discovery, created_at, updated_at, last_fetched_at)
    SELECT 'src_'||i, 'org_'||(1+i%5000), 's'||i, 's'||i, 's'||i, 'feed', 'u'||i, 'u'||i, 'curated', ${at}, ${at}, ${at} FROM n`.execute(tx);
  await sql`INSERT INTO source_figures (source_id, release_count, latest_date, changed_at) SELECT id, 100, ${at}, ${at} FROM sources`.execute(tx);
  await sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 99)
    INSERT INTO release_days (source_id, day, count) SELECT s.id, date('now', '-'||(i*3)||' days'), 1 FROM sources s, n`.execute(tx);
  await sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i < 49)
    INSERT INTO fetch_log (id, source_id, trigger, status, releases_found, releases_inserted, releases_updated, total_releases, created_at)
    SELECT s.id||'_'||i, s.id, 'schedule', CASE WHEN length(s.id)=7 THEN 'error' ELSE 'no_change' END, 0,0,0,0, strftime('%Y-%m-%dT%H:%M:%fZ','now','-'||(i*3)||' hours') FROM sources s, n`.execute(tx);
}, 'derived');
const time = async (name: string, work: () => Promise<unknown>) => { await work(); const t = performance.now(); await work(); console.log(name, Math.round(performance.now() - t), 'ms'); };
const { ctx } = app;
await time('stats 30', () => readStats(ctx, { days: 30 }));
await time('stats 3650', () => readStats(ctx, { days: 3650 }));
await time('fetch log', () => listFetchLog(ctx, { limit: 20 }));
await time('fetch log org', () => listFetchLog(ctx, { limit: 20, org: 'o7' }));
await time('fetch log status', () => listFetchLog(ctx, { limit: 20, status: ['blocked'] }));
await time('stuck', () => stuckSources(ctx, { window: 5, minAttempts: 3, includePaused: false, page: 1, limit: 500 }));
await time('categories', () => listCategories(ctx));
console.log(await ctx.store.dialect.explain(ctx.store.read, sql`SELECT l.id FROM fetch_log l JOIN sources s ON s.id = l.source_id LEFT JOIN orgs o ON o.id = s.org_id LEFT JOIN products p ON p.id = s.product_id WHERE s.deleted_at IS NULL AND s.is_hidden = 0 ORDER BY l.created_at DESC, l.id DESC LIMIT 20`));
await app.close();
