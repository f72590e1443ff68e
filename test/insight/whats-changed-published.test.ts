// Upgrade answers measured by what package registries list: a published version without notes is named, and an answer that
// lacks one is never complete.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { putPackage } from '../../src/entities/packages/put.ts';
import { type MovableClock, movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { listPublished } from './published.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const DAY_MS = 86_400_000;
const FIXED = '### Fixed\n- Crash on start of the second window';
const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const fixed = (...versions: string[]) => versions.map((version): Stored => ({ version, content: FIXED }));

forEachEngine('published versions in an upgrade answer', (engine) => {
  let world: UpgradeWorld;
  let clock: MovableClock;
  let count = 0;
  before(async () => {
    clock = movableClock('2026-06-01T12:00:00.000Z');
    world = await openUpgradeWorld(engine, { clock });
  });

  const mapped = async (stored: readonly Stored[], packagePart?: string) => {
    count += 1;
    const source = await world.fill(stored);
    const name = `pkg-${count}`;
    await putPackage(world.ctx, { ecosystem: 'npm', name, sourceId: source.id, packagePart });
    return { ...source, name };
  };
  const ask = async (name: string, from: string, to: string, more: Record<string, string> = {}) =>
    (await world.ask({ package: name, ecosystem: 'npm', from, to, ...more })).body;

  it('names the versions that have no notes', async () => {
    const { name } = await mapped(fixed('1.0.0', '1.1.0', '1.3.0', '1.4.0'));
    await listPublished(world.ctx, name, ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.3.1', '1.4.0', '1.5.0-rc.1']);

    const body = await ask(name, '1.0.0', '1.4.0');

    assert.deepEqual([body.reason, body.worst, body.summary.unnoted], ['history_gap', 'unknown', 2]);
    assert.deepEqual(body.history, {
      lowest: '1.0.0',
      highest: '1.4.0',
      checkedAt: body.history.checkedAt,
      tracked: true,
      complete: false,
      published: 5,
      withoutNotes: ['1.2.0', '1.3.1'],
      withoutNotesCount: 2,
    });
    assert.match(body.hint, /^2 of 5 published versions of this range have no notes here, .*: 1\.2\.0, 1\.3\.1\. /);
    const whole = await ask(name, '1.3.1', '1.4.0');
    assert.deepEqual([whole.reason, whole.worst, whole.history.complete], [undefined, 'none', true]);
    assert.deepEqual([whole.history.published, whole.history.withoutNotes], [1, []]);
  });

  it('needs neither bound to be stored when every version between has notes', async () => {
    const { name } = await mapped(fixed('2.0.0', '2.1.0', '2.2.0'));
    await listPublished(world.ctx, name, ['2.0.0', '2.1.0', '2.2.0']);

    for (const [from, to] of [
      ['1.0.0', '2.1.0'],
      ['2.0.5', '2.2.0'],
      ['2.0.0', '2.1.5'],
    ] as const) {
      const body = await ask(name, from, to);
      assert.deepEqual([body.history.complete, body.reason], [true, undefined], `${from} ${to}`);
    }
    const beyond = await ask(name, '2.0.0', '9.0.0');
    assert.deepEqual([beyond.reason, beyond.worst], ['history_ends', 'unknown']);
    assert.match(beyond.hint, /^9\.0\.0 is neither published nor stored; stored versions end at 2\.2\.0\./);
  });

  it('tells an end, a beginning and a gap apart, in this order', async () => {
    const { name } = await mapped(fixed('2.0.0', '2.2.0'));
    await listPublished(world.ctx, name, ['1.5.0', '2.0.0', '2.1.0', '2.2.0', '3.0.0']);

    const reasons = [];
    for (const [from, to] of [
      ['1.0.0', '3.0.0'],
      ['1.0.0', '2.2.0'],
      ['2.0.0', '2.2.0'],
      ['2.1.0', '2.2.0'],
    ] as const) {
      const body = await ask(name, from, to);
      reasons.push([body.reason, body.history.withoutNotes]);
    }
    assert.deepEqual(reasons, [
      ['history_ends', ['1.5.0', '2.1.0', '3.0.0']],
      ['history_begins', ['1.5.0', '2.1.0']],
      ['history_gap', ['2.1.0']],
      [undefined, []],
    ]);
  });

  it('takes `latest` and ranges from a listing of the last fourteen days', async () => {
    const { name } = await mapped(fixed('1.0.0', '1.1.0'));
    await listPublished(world.ctx, name, ['1.0.0', '1.1.0', '1.2.0', '2.0.0-beta.1'], { latest: '1.2.0' });

    const [latest, range] = [await ask(name, '1.0.0', 'latest'), await ask(name, '1.0.0', '^1.0.0')];
    assert.deepEqual([latest.toVersion, latest.history.withoutNotes], ['1.2.0', ['1.2.0']]);
    assert.deepEqual([range.toVersion, range.history.withoutNotes], ['1.2.0', ['1.2.0']]);
    const newest = await ask(name, '1.2.0', 'latest');
    assert.deepEqual([newest.reason, newest.history.complete], ['up_to_date', true]);
    const unseen = await ask(name, '9.0.0', 'latest');
    assert.deepEqual([unseen.reason, unseen.history.complete], ['up_to_date', false]);
    assert.match(unseen.hint, /9\.0\.0 is neither published nor stored\./);

    clock.move(15 * DAY_MS);
    const old = await ask(name, '1.0.0', 'latest');
    assert.deepEqual([old.toVersion, old.history.published, old.history.withoutNotesCount], ['1.1.0', null, 0]);
    assert.equal(old.history.complete, false);
  });

  it('counts pre-releases as the range has them', async () => {
    const { name } = await mapped(fixed('1.0.0', '2.0.0-rc.1', '2.0.0'));
    await listPublished(world.ctx, name, ['1.0.0', '2.0.0-beta.1', '2.0.0-rc.1', '2.0.0']);

    const stable = await ask(name, '1.0.0', '2.0.0');
    const all = await ask(name, '1.0.0', '2.0.0', { include_prereleases: 'true' });
    const toOne = await ask(name, '1.0.0', '2.0.0-rc.1');
    assert.deepEqual([stable.history.published, stable.history.complete], [1, true]);
    assert.deepEqual([all.history.published, all.history.withoutNotes], [3, ['2.0.0-beta.1']]);
    assert.deepEqual([toOne.history.published, toOne.history.withoutNotes], [2, ['2.0.0-beta.1']]);
  });

  it('keeps a withdrawn version in the range and marks it', async () => {
    const { name } = await mapped([...fixed('1.0.0'), { version: '1.1.0', content: BREAKING }, ...fixed('1.2.0')]);
    await listPublished(world.ctx, name, ['1.0.0', { version: '1.1.0', withdrawn: true }, '1.2.0']);

    const answer = await world.ask({ package: name, ecosystem: 'npm', from: '1.0.0', to: '1.2.0' });

    assert.deepEqual(versionsOf(answer), ['1.1.0', '1.2.0']);
    const marks = answer.body.entries.map(({ withdrawn }: { withdrawn?: boolean }) => withdrawn);
    assert.deepEqual([marks, answer.body.worst], [[true, undefined], 'major']);
  });

  it('a stored release without text is no note', async () => {
    const { name } = await mapped([...fixed('1.0.0'), { version: '1.1.0', content: '' }, ...fixed('1.2.0')]);
    await listPublished(world.ctx, name, ['1.0.0', '1.1.0', '1.2.0']);

    const body = await ask(name, '1.0.0', '1.2.0');

    assert.deepEqual([body.total, body.history.withoutNotes, body.reason], [2, ['1.1.0'], 'history_gap']);
  });

  it('measures a source by the one package that it publishes', async () => {
    const { slug, id, name } = await mapped(fixed('1.0.0', '1.2.0'));
    await listPublished(world.ctx, name, ['1.0.0', '1.1.0', '1.2.0']);

    for (const asked of [slug, id]) {
      const { body } = await world.ask({ package: asked, from: '1.0.0', to: 'latest' });
      assert.deepEqual([body.reason, body.history.withoutNotes], ['history_gap', ['1.1.0']], asked);
    }
    await putPackage(world.ctx, { ecosystem: 'pypi', name: `${name}-py`, sourceId: id });
    const { body } = await world.ask({ package: slug, from: '1.0.0', to: '1.2.0' });
    assert.deepEqual([body.history.published, body.history.complete], [null, true]);
  });

  it('tells what is published of a package whose notes nobody tracks', async () => {
    await listPublished(world.ctx, 'lonely', ['1.0.0', '1.1.0', '1.2.0-rc.1', '1.2.0']);

    const body = await ask('lonely', '1.0.0', 'latest');

    assert.deepEqual([body.status, body.reason, body.reasonDetail], ['unknown', 'not_tracked', 'not_mapped']);
    assert.deepEqual([body.toVersion, body.history.published, body.history.complete], ['1.2.0', 2, false]);
    assert.deepEqual([body.worst, body.summary.unnoted], [null, 2]);
  });

  it('PyPI: the latest is the highest stable version that was not yanked', async () => {
    const source = await world.fill(fixed('1.0', '1.1'));
    await putPackage(world.ctx, { ecosystem: 'pypi', name: 'quarry', sourceId: source.id });
    const versions = ['1.0', '1.1', { version: '1.2', withdrawn: true }, '2.0rc1'];
    await listPublished(world.ctx, 'quarry', versions, { ecosystem: 'pypi', latest: '2.0rc1' });

    const { body } = await world.ask({ package: 'quarry', ecosystem: 'pypi', from: '1.0', to: 'latest' });

    assert.deepEqual([body.toVersion, body.worst, body.history.complete], ['1.1', 'none', true]);
  });

  it('answers hundreds of questions about versions without notes, none of them with none and complete', async () => {
    // Histories with holes of every kind: at the ends, alone, in runs, and around pre-releases.
    const random = generator(7);
    const questions: { package: string; ecosystem: 'npm'; from: string; to: string; missing: string }[] = [];
    for (let number = 0; number < 12; number += 1) {
      const published = Array.from({ length: 40 }, (_, index) => versionAt(index, random()));
      const noted = published.filter(() => random() > 0.25);
      const { name } = await mapped(fixed(...noted));
      await listPublished(world.ctx, name, published, { latest: published.at(-1) });
      for (const missing of published.filter((version) => !noted.includes(version))) {
        const at = published.indexOf(missing);
        const before = published.slice(0, at).at(-1 - Math.floor(random() * 3)) ?? '0.0.1';
        const after = published[Math.min(published.length - 1, at + Math.floor(random() * 4))] ?? missing;
        for (const to of new Set([missing, after, 'latest'])) {
          questions.push({ package: name, ecosystem: 'npm', from: before, to, missing });
        }
      }
    }
    assert.ok(questions.length > 250, `${questions.length} questions`);
    const wrong: string[] = [];
    for (let start = 0; start < questions.length; start += 100) {
      const asked = questions.slice(start, start + 100);
      const items = asked.map(({ missing: _, ...item }) => item);
      const { body } = await world.service.anonymous.post('/v1/whats-changed/batch', { items });
      for (const [index, { package: name, from, to, missing }] of asked.entries()) {
        const { worst, history, reason, hint } = body.items[index];
        const isWhole = history.complete || worst === 'none' || worst === null;
        const isNamed = history.withoutNotes.includes(missing) && /^history_/.test(reason) && hint.length > 0;
        // A pre-release does not count on the way to a stable version.
        const counts = !missing.includes('-') || to === missing || to.includes('-');
        if (counts && (isWhole || !isNamed)) wrong.push(`${name} ${from} → ${to}: ${missing} ${worst} ${reason}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});

function versionAt(index: number, chance: number): string {
  const version = `${1 + Math.floor(index / 15)}.${Math.floor((index % 15) / 4)}.${(index % 15) % 4}`;
  return chance > 0.9 ? `${version}-rc.1` : version;
}

// The same numbers in every run.
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
