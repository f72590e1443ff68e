// A folder with packages, and a registry that imports them.
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import type { TestEngine } from '../../../test/support/engines.ts';
import type { Context } from '../../context.ts';
import { collectChangelogs, collectInstalled } from './collect.ts';
import type { ImportHints } from './describe.ts';
import { type Disk, openDisk } from './disk.fixture.ts';
import { type ImportLine, importPackages, type LocalImportOptions } from './import-all.ts';

export function importWorld(engine: TestEngine) {
  let disk: Disk;
  beforeEach(async () => {
    disk = await openDisk();
  });
  afterEach(() => disk.remove());

  return {
    // Each test has its own.
    get disk() {
      return disk;
    },
    async setUp() {
      const clock = movableClock('2024-10-01T12:00:00.000Z');
      const { ctx } = await engine.openTestApp({ clock });
      const install = async (options: LocalImportOptions = {}) => {
        const gathered = await collectInstalled(disk.root);
        return gathered.kind === 'packages' ? importPackages(ctx, gathered.packages, options) : assert.fail();
      };
      const changelog = async (path: string, given: ImportHints = {}) => {
        const gathered = await collectChangelogs(`${disk.root}/${path}`, given);
        return gathered.kind === 'packages' ? importPackages(ctx, gathered.packages, { given }) : assert.fail();
      };
      return { ctx, clock, install, changelog };
    },
  };
}

export function brief(lines: readonly ImportLine[]): [name: string, outcome: string][] {
  return lines.map(({ name, found, inserted, updated, skipped }) => [
    name,
    skipped ?? `${found} ${inserted} ${updated}`,
  ]);
}

export async function releasesOf(ctx: Context, sourceId: string) {
  const rows = await ctx.store.read
    .selectFrom('releases')
    .select(['version', 'package_part', 'title', 'content', 'url', 'origin', 'published_at'])
    .where('source_id', '=', sourceId)
    .where('suppressed', '=', 0)
    .orderBy('doc_key', 'desc')
    .execute();
  return rows.map((row) => ({ ...row }));
}

export async function versionsOf(ctx: Context, sourceId: string): Promise<(string | null)[]> {
  return (await releasesOf(ctx, sourceId)).map(({ version }) => version).sort();
}

// The rows of all tables that an import writes.
export async function everything(ctx: Context): Promise<string> {
  const tables = ['orgs', 'org_accounts', 'sources', 'releases', 'release_revisions', 'changelog_files'] as const;
  const more = ['packages', 'source_figures', 'events', 'pending_releases'] as const;
  const rows = await Promise.all(
    [...tables, ...more].map((table) => ctx.store.read.selectFrom(table).selectAll().execute()),
  );
  return JSON.stringify(rows);
}
