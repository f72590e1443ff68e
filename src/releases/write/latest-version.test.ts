import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createSource } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import { writeReleases } from './write-batch.ts';

type Given = { version?: string; on: string };

// One release per day, the oldest first.
function history(...versions: string[]): Given[] {
  return versions.map((version, day) => ({ version, on: `2024-03-${String(day + 1).padStart(2, '0')}` }));
}

async function latestVersion(ctx: Context, releases: readonly Given[]): Promise<string | null> {
  const { id } = await createSource(ctx);
  const rows = releases.map(({ version, on }, index) => ({
    title: version ?? 'Notes',
    version,
    content: `- Change ${index}`,
    url: `https://acme.example/releases/${index}`,
    publishedAt: `${on}T00:00:00.000Z`,
  }));
  await writeReleases(ctx, { path: { src: id }, rows });
  const figures = ctx.store.read.selectFrom('source_figures').select('latest_version').where('source_id', '=', id);
  return (await figures.executeTakeFirst())?.latest_version ?? null;
}

forEachEngine('the latest version of a source', (engine) => {
  const cases: [label: string, releases: Given[], latest: string | null][] = [
    ['is null when no release has a version', [{ on: '2024-03-01' }], null],
    ['is not changed by a backport', history('v15.5.17', '16.0.0', 'v15.5.18'), '16.0.0'],
    ['leaves pre-releases out while a stable release exists', history('1.9.0', '2.0.0-rc.1'), '1.9.0'],
    ['is the highest pre-release when nothing is stable', history('1.0.0-rc.1', '1.0.0-beta.9'), '1.0.0-rc.1'],
    [
      'is a pre-release when the stable ones have no version',
      [...history('1.0.0-rc.1'), { on: '2024-03-09' }],
      '1.0.0-rc.1',
    ],
    ['is a date tag while that is the newest', history('1.4.0', '2024-01-15'), '2024-01-15'],
    ['is a number again once that is the newest', history('1.4.0', '2024-01-15', '1.3.9'), '1.4.0'],
    ['is the newest text when no version has an order key', history('Alder', 'Birch'), 'Birch'],
    ['leaves names out while the newest is a number', history('Alder', '1.0', 'Birch', '0.9'), '1.0'],
    [
      'is the newer one of two spellings of a version',
      [
        { version: '1.0', on: '2024-05-01' },
        { version: 'v1.0.0', on: '2024-06-01' },
      ],
      'v1.0.0',
    ],
  ];
  for (const [label, releases, latest] of cases) {
    it(label, async () => {
      const { ctx } = await engine.openTestApp();
      assert.equal(await latestVersion(ctx, releases), latest);
    });
  }
});
