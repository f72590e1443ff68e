// How far an upgrade answer reaches: version ranges as bounds, and gaps in the data of the registry.
import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import type { SourceRow } from '../../src/store/schema/sources.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const DAY_MS = 86_400_000;
const FIXED = '### Fixed\n- Crash on start of the second window';
const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const SIX: Stored[] = ['5.9.0', '6.0.0', '6.1.0', '6.1.4', '6.2.0', '7.0.0-rc.1'];

interface RangeCase {
  stored?: readonly Stored[];
  from: string;
  to: string;
  taken: [from: string, to: string | null];
  entries: string[];
  reason?: string;
}

const RANGES: RangeCase[] = [
  { from: '5.9.0', to: '6.x', taken: ['5.9.0', '6.2.0'], entries: ['6.0.0', '6.1.0', '6.1.4', '6.2.0'] },
  { from: '^6.0.0', to: '6.2.0', taken: ['6.0.0', '6.2.0'], entries: ['6.1.0', '6.1.4', '6.2.0'] },
  { from: '6.0.0', to: '~6.1', taken: ['6.0.0', '6.1.4'], entries: ['6.1.0', '6.1.4'] },
  { from: '>=6 <7', to: 'latest', taken: ['6.0.0', '6.2.0'], entries: ['6.1.0', '6.1.4', '6.2.0'] },
  { from: '5.9.0', to: '^6.0.0, !=6.2.0', taken: ['5.9.0', '6.1.4'], entries: ['6.0.0', '6.1.0', '6.1.4'] },
  { from: '6.1.0', to: '*', taken: ['6.1.0', '6.2.0'], entries: ['6.1.4', '6.2.0'] },
  { from: '6.1.0', to: '^8.0.0', taken: ['6.1.0', '8.0.0'], entries: ['6.1.4', '6.2.0'], reason: 'history_ends' },
  { from: '6.2.0', to: '^6.0.0', taken: ['6.2.0', '6.2.0'], entries: [], reason: 'same_version' },
  { from: '6.1.9', to: '~6.1', taken: ['6.1.9', '6.1.4'], entries: [], reason: 'history_gap' },
  {
    stored: ['core@1.0.0', 'core@1.1.0', 'cli@1.5.0'],
    from: 'core@^1.0.0',
    to: 'core@1.x',
    taken: ['1.0.0', '1.1.0'],
    entries: ['core@1.1.0'],
  },
  {
    stored: ['2023.12.1', '2024.1', '2024.6'],
    from: '2023.x',
    to: '2024.x',
    taken: ['2023.0.0', '2024.6'],
    entries: ['2023.12.1', '2024.1', '2024.6'],
    reason: 'history_begins',
  },
];

forEachEngine('the limits of an upgrade answer', (engine) => {
  let world: UpgradeWorld;
  let clock: MovableClock;

  before(async () => {
    clock = movableClock('2026-06-01T12:00:00.000Z');
    world = await openUpgradeWorld(engine, { clock });
  });
  beforeEach(() => clock.move(DAY_MS));

  const change = (id: string, columns: Partial<SourceRow>) =>
    world.ctx.store.transaction(
      (tx) => tx.updateTable('sources').set(columns).where('id', '=', id).execute(),
      'catalog',
    );
  // A source after an import: it has releases, and was never fetched.
  const imported = async (versions: readonly Stored[], more: Partial<SourceRow> = {}) => {
    const source = await world.fill(versions);
    await change(source.id, { releases_written_at: null, fetch_priority: 'paused', ...more });
    return source;
  };

  it('takes a version range for the versions that it admits', async () => {
    for (const { stored = SIX, from, to, taken, entries, reason } of RANGES) {
      const { slug } = await world.fill(stored);
      const answer = await world.ask({ package: slug, from, to });

      assert.equal(answer.status, 200, answer.text);
      const { fromVersion, toVersion } = answer.body;
      assert.deepEqual([[fromVersion, toVersion], versionsOf(answer)], [taken, entries], `${from} → ${to}`);
      assert.equal(answer.body.reason, reason, `${from} → ${to}: ${answer.body.hint}`);
    }
  });

  it('refused: a range that nobody can read, and one that ends before the other bound', async () => {
    const { slug } = await world.fill(SIX);
    const cases = [
      ['^alder', '6.2.0', 'from', 'unknown_version'],
      ['6.0.0', '>7 <6', 'to', 'unknown_version'],
      ['7.0.0', '^6.0.0', 'from', 'from_after_to'],
    ] as const;
    for (const [from, to, parameter, reason] of cases) {
      const { status, body } = await world.ask({ package: slug, from, to });
      assert.deepEqual([status, body.error?.details], [400, { parameter, reason }], `${from} → ${to}`);
    }
  });

  it('never calls an upgrade harmless beyond the last version it has seen', async () => {
    const { slug } = await imported([
      { version: '2.29.0', content: FIXED },
      { version: '2.30.0', content: FIXED },
    ]);

    const { body } = await world.ask({ package: slug, from: '2.29.0', to: '4.0.0' });
    const inside = await world.ask({ package: slug, from: '2.29.0', to: '2.30.0' });

    assert.deepEqual([body.status, body.reason, body.worst], ['resolved', 'history_ends', 'unknown']);
    assert.deepEqual([body.count, body.summary.breaking.none], [1, 1]);
    assert.deepEqual(body.history, {
      lowest: '2.29.0',
      highest: '2.30.0',
      checkedAt: null,
      tracked: false,
      complete: false,
      published: null,
      withoutNotes: [],
      withoutNotesCount: 0,
    });
    assert.match(body.hint, /end at 2\.30\.0.*up to 4\.0\.0.*never checked.*ask an operator of this registry/);
    assert.doesNotMatch(body.hint, /PATCH|--track/, 'a call that only operators may make');
    const told = await world.service.root.get(`/v1/whats-changed?package=${slug}&from=2.29.0&to=4.0.0`);
    assert.match(told.body.hint, /never checked.*PATCH \/v1\/sources\/.*--track/);
    assert.deepEqual([inside.body.reason, inside.body.worst, inside.body.history.complete], [undefined, 'none', true]);
  });

  it('keeps a verdict that is worse than unknown', async () => {
    const { slug } = await imported(['1.0.0', { version: '2.0.0', content: BREAKING }]);

    const { body } = await world.ask({ package: slug, from: '1.0.0', to: '3.0.0' });

    assert.deepEqual([body.reason, body.worst], ['history_ends', 'major']);
  });

  it('knows the latest version of a source only while somebody looks for newer ones', async () => {
    const ask = (slug: string) => world.ask({ package: slug, from: '1.1.0', to: 'latest' });
    const never = await imported(['1.0.0', '1.1.0']);
    const fetched = await imported(['1.0.0', '1.1.0'], { last_fetched_at: clock().toISOString() });
    const written = await world.fill(['1.0.0', '1.1.0']);

    assert.equal((await ask(never.slug)).body.reason, 'history_ends');
    assert.equal((await ask(fetched.slug)).body.reason, 'up_to_date');
    assert.equal((await ask(written.slug)).body.reason, 'up_to_date');

    clock.move(15 * DAY_MS);
    for (const slug of [fetched.slug, written.slug]) {
      const { body } = await ask(slug);
      assert.deepEqual([body.reason, body.worst, body.history.complete], ['history_ends', 'unknown', false]);
    }
    const range = await world.ask({ package: never.slug, from: '1.0.0', to: '^1.0.0' });
    assert.deepEqual([range.body.toVersion, range.body.reason], ['1.1.0', 'history_ends']);
  });

  it('says that versions below the lowest stored one are missing, unless there are none', async () => {
    const ask = (slug: string) => world.ask({ package: slug, from: '1.0.0', to: '2.2.0' });
    const cut = await imported(['2.1.0', { version: '2.2.0', content: FIXED }]);
    const listed = await imported(['2.1.0', '2.2.0'], { listing_completed_at: clock().toISOString() });
    const first = await imported([{ version: '2.1.0', content: '- Initial release' }, '2.2.0']);
    const numbered = await imported(['1.0.0', '2.2.0']);

    const { body } = await ask(cut.slug);
    assert.deepEqual([body.reason, body.worst, body.history.complete], ['history_begins', 'unknown', false]);
    assert.match(body.hint, /begin at 2\.1\.0; what came between 1\.0\.0/);
    assert.equal((await ask(first.slug)).body.history.complete, true);
    const unlisted = (await ask(listed.slug)).body;
    assert.deepEqual([unlisted.reason, unlisted.history.complete], ['history_gap', false]);
    const below = await world.ask({ package: numbered.slug, from: '0.5.0', to: '2.2.0' });
    assert.equal(below.body.reason, undefined);
    const both = await world.ask({ package: cut.slug, from: '1.0.0', to: '9.0.0' });
    assert.equal(both.body.reason, 'history_ends');
    assert.match(both.body.hint, /end at 2\.2\.0.*begin at 2\.1\.0/);
  });

  it('never calls an upgrade harmless whose bounds it has not seen', async () => {
    const { slug } = await world.fill(
      ['1.0.0', '1.1.0', '1.3.0', '1.4.0'].map((version) => ({ version, content: FIXED })),
    );
    const cases: [from: string, to: string, hint: RegExp][] = [
      ['1.0.0', '1.2.0', /^Version 1\.2\.0 is not stored, .* Stored versions reach from 1\.0\.0 to 1\.4\.0\. /],
      ['1.2.0', '1.4.0', /^Version 1\.2\.0 is not stored, /],
      ['1.0.5', '1.2.0', /^Versions 1\.0\.5 and 1\.2\.0 are not stored, /],
      ['1.0.0', '1.0.5', /^Version 1\.0\.5 is not stored, /],
      ['^1.2.0', 'latest', /^Version 1\.2\.0 is not stored, /],
    ];
    for (const [from, to, hint] of cases) {
      const { body } = await world.ask({ package: slug, from, to });
      assert.deepEqual([body.reason, body.worst, body.history.complete], ['history_gap', 'unknown', false], body.hint);
      assert.match(body.hint, hint);
    }
    const newer = (await world.ask({ package: slug, from: '1.5.0', to: 'latest' })).body;
    assert.deepEqual([newer.reason, newer.worst, newer.history.complete], ['up_to_date', 'unknown', false]);
    assert.match(newer.hint, /^The latest version is 1\.4\.0\. Version 1\.5\.0 is not stored, /);
    const whole = (await world.ask({ package: slug, from: 'v1.1', to: '1.4.0' })).body;
    assert.deepEqual([whole.reason, whole.worst, whole.history.complete], [undefined, 'none', true]);
  });

  it('tells whether the source will be checked again', async () => {
    const { id, slug } = await world.fill(['1.0.0', '1.1.0']);
    const tracked = async () => (await world.ask({ package: slug, from: '1.0.0', to: '1.1.0' })).body.history.tracked;

    assert.equal(await tracked(), true);
    await change(id, { fetch_priority: 'paused' });
    assert.equal(await tracked(), false);
  });

  it('answers a batch by the same rules', async () => {
    const one = await imported([{ version: '2.30.0', content: FIXED }]);
    const items = [
      { package: one.slug, from: '2.30.0', to: 'latest' },
      { package: one.slug, from: '2.x', to: '4.x' },
      { package: one.slug, from: '2.30.0', to: '2.30.0' },
    ];
    const { body } = await world.service.anonymous.post('/v1/whats-changed/batch', { items });

    const reported = body.items.map(
      (item: { reason: string; worst: string | null; history: { complete: boolean } }) => [
        item.reason,
        item.worst,
        item.history.complete,
      ],
    );
    assert.deepEqual(reported, [
      ['history_ends', 'unknown', false],
      ['history_ends', 'unknown', false],
      ['same_version', null, true],
    ]);
  });

  it('is markdown for whoever prefers it', async () => {
    const { slug } = await world.fill(['1.0.0', { version: '2.0.0', content: BREAKING }]);
    const { status, headers, text } = await world.service.anonymous.get(
      `/v1/whats-changed?package=${slug}&from=1.0.0&to=3.0.0`,
      { Accept: 'text/markdown' },
    );

    assert.deepEqual([status, headers.get('content-type')], [200, 'text/markdown; charset=utf-8']);
    assert.match(
      text,
      /\nworst: major\nentries: 1\ntruncated: false\nhistory_complete: false\nreason: history_ends\n---\n/,
    );
    assert.match(
      text,
      /\nStored versions end at 2\.0\.0;.*\n\nJudgement: it breaks, by the notes\.\n\n## What to do\n\n1\. Removed `old\(\)`/,
    );
    assert.match(text, /### Before you upgrade\n\n- Removed `old\(\)`, use `fresh\(\)` instead\.\n<\/Release>\n$/);
  });
});
