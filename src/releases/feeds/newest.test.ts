import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createOrg, createSource, postReleases, releaseRow } from '../../../test/support/factories.ts';
import type { Context } from '../../context.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { newestBreaking, newestOfEach } from './newest.ts';

const at = (day: number) => `2026-02-${String(day).padStart(2, '0')}T00:00:00.000Z`;

async function sourceWith(ctx: Context, name: string, releases: [version: string, day: number, content?: string][]) {
  const source = await createSource(ctx, { name, orgSlug: 'acme', url: `https://acme.example/${name}` });
  const rows = releases.map(([version, day, content = 'News of it.']) =>
    releaseRow(version, { publishedAt: at(day), content, url: `https://acme.example/${name}/${version}` }),
  );
  await postReleases(ctx, source.id, rows);
  return source;
}

const shown = (items: { source: { name: string }; version: string | null }[]) =>
  items.map(({ source, version }) => `${source.name} ${version}`);

forEachEngine('lists of the home page', (engine) => {
  it('show the newest of each source, whatever one busy source has released', async () => {
    const { ctx } = await engine.openTestApp();
    await createOrg(ctx, { name: 'Acme', slug: 'acme' });
    await sourceWith(ctx, 'quiet', [['1.0.0', 1]]);
    await sourceWith(ctx, 'early', [
      ['1.0.0', 3],
      ['2.0.0-beta.1', 20],
    ]);
    const busy = Array.from({ length: 12 }, (_, index): [string, number] => [`1.0.${index}`, 5 + index]);
    await sourceWith(ctx, 'busy', busy);
    const hidden = await sourceWith(ctx, 'hidden', [['9.0.0', 21]]);
    await updateSource(ctx, { src: hidden.id }, { isHidden: true });

    assert.deepEqual(shown(await newestOfEach(ctx, 4)), ['busy 1.0.11', 'early 1.0.0', 'quiet 1.0.0']);
    // A source with a newer pre-release alone does not push out one with a newer final release.
    assert.deepEqual(shown(await newestOfEach(ctx, 2)), ['busy 1.0.11', 'early 1.0.0']);
    assert.deepEqual(shown(await newestOfEach(ctx, 1)), ['busy 1.0.11']);
  });

  it('count every break and show one of each source', async () => {
    const { ctx } = await engine.openTestApp();
    await createOrg(ctx, { name: 'Acme', slug: 'acme' });
    const breaks = '### Breaking changes\n\n- Removed `send()`; call `deliver()` instead';
    await sourceWith(ctx, 'one', [
      ['1.0.0', 1, breaks],
      ['2.0.0', 4, breaks],
      ['3.0.0', 6, breaks],
      ['3.0.1', 7],
    ]);
    await sourceWith(ctx, 'two', [['2.0.0', 5, breaks]]);

    const { releases, total } = await newestBreaking(ctx, { since: at(2), limit: 4 });

    assert.deepEqual([shown(releases), total], [['one 3.0.0', 'two 2.0.0'], 3]);
  });
});
