// What an answer says about its range, and what it leaves out.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { transact } from '../../src/context.ts';
import { suppressRelease } from '../../src/releases/write/suppress.ts';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const FIXED = '### Fixed\n- Crash on start of the second window';
const UNLISTED = { published: null, withoutNotes: [], withoutNotesCount: 0 };

forEachEngine('the answer to an upgrade', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    world = await openUpgradeWorld(engine);
  });

  it('tells each release, and what all of them come to', async () => {
    const { ctx, fill, ask } = world;
    const { slug } = await fill([
      { version: '1.0.0', content: FIXED },
      { version: '1.0.1', content: FIXED },
      { version: '2.0.0', content: BREAKING, title: 'Second' },
      { version: '2.1.0', content: '' },
    ]);

    const { body } = await ask({ package: slug, from: 'v1.0', to: '2.1.0' });

    const [first, second, third] = body.entries;
    assert.deepEqual(Object.keys(second), [
      ...['id', 'version', 'publishedAt', 'title', 'summary', 'breaking', 'migrationNotes', 'importance'],
      ...['security', 'prerelease', 'composition', 'url', 'webUrl'],
    ]);
    assert.deepEqual(
      [first.breaking, first.migrationNotes, first.summary, first.prerelease],
      ['none', null, 'Crash on start of the second window', false],
    );
    assert.deepEqual(
      [second.breaking, second.title, second.migrationNotes],
      ['major', 'Second', '- Removed `old()`, use `fresh()` instead.'],
    );
    assert.deepEqual([third.summary, third.breaking], ['', 'unknown']);
    assert.equal(second.webUrl, `${ctx.config.webUrl}/release/${second.id}-second`);
    assert.deepEqual(
      { ...body, entries: null, source: null, history: null },
      {
        status: 'resolved',
        package: slug,
        ecosystem: null,
        from: 'v1.0',
        to: '2.1.0',
        fromVersion: '1.0',
        toVersion: '2.1.0',
        source: null,
        matchedBy: 'slug',
        entries: null,
        count: 3,
        total: 3,
        summary: {
          breaking: { major: 1, minor: 0, none: 1, unknown: 1 },
          firstBreaking: '2.0.0',
          unnoted: 0,
          security: 0,
        },
        worst: 'major',
        judgement: 'breaks',
        judgedBy: ['notes'],
        undocumented: false,
        steps: [
          {
            kind: 'removal',
            text: 'Removed `old()`, use `fresh()` instead.',
            versions: ['2.0.0'],
            releaseIds: [second.id],
            from: 'notes',
          },
        ],
        omittedPrereleases: 0,
        history: null,
        truncated: false,
      },
    );
    assert.deepEqual(
      { ...body.history, checkedAt: typeof body.history.checkedAt },
      { lowest: '1.0.0', highest: '2.1.0', checkedAt: 'string', tracked: true, complete: true, ...UNLISTED },
    );
  });

  it('is worse when nothing is known than when nothing breaks', async () => {
    const { fill, ask } = world;
    const { slug } = await fill(['1.0.0', { version: '1.0.1', content: FIXED }, { version: '1.1.0', content: '' }]);

    const both = await ask({ package: slug, from: '1.0.0', to: '1.1.0' });
    const fixed = await ask({ package: slug, from: '1.0.0', to: '1.0.1' });

    assert.deepEqual([both.body.worst, fixed.body.worst], ['unknown', 'none']);
    assert.equal(both.body.summary.firstBreaking, null);
  });

  it('begins the text of a release without summary', async () => {
    const { fill, ask } = world;
    const { slug } = await fill([
      '1.0.0',
      { version: '1.1.0', summary: '', content: '## Notes\n\nSee the **[guide](https://x.example)**.' },
      { version: '1.2.0', summary: '', content: `${'a word '.repeat(100)}\n\n${'more '.repeat(5000)}` },
      { version: '1.3.0', summary: '', content: '' },
    ]);

    const { body } = await ask({ package: slug, from: '1.0.0', to: '1.3.0' });

    const [short, long, empty] = body.entries;
    assert.equal(short.excerpt, 'Notes See the guide.');
    assert.ok(long.excerpt.length > 280 && long.excerpt.length <= 300, long.excerpt);
    assert.equal('excerpt' in empty, false);
  });

  it('keeps the newest within its budget, counts all, and says where to go on', async () => {
    const { fill, ask } = world;
    const stored = Array.from({ length: 60 }, (_, index): Stored => {
      const version = `1.${index}.0${index % 5 === 4 ? '-rc.1' : ''}`;
      return { version, content: index === 3 ? BREAKING : FIXED, summary: 'x'.repeat(600) };
    });
    const { slug } = await fill(stored);
    const stable = stored
      .map((row) => (row as { version: string }).version)
      .filter((version) => !version.includes('rc'));

    const seen: string[] = [];
    let next = { from: '1.0.0', to: 'latest' };
    for (let calls = 0; calls < 20; calls += 1) {
      const answer = await ask({ package: slug, ...next, tokens: '1700' });
      const { body } = answer;
      seen.unshift(...versionsOf(answer));
      if (calls === 0) {
        assert.deepEqual([body.total, body.omittedPrereleases, body.count], [47, 11, 10]);
        assert.deepEqual(body.summary, {
          breaking: { major: 1, minor: 0, none: 46, unknown: 0 },
          firstBreaking: '1.3.0',
          unnoted: 0,
          security: 0,
        });
        assert.deepEqual([body.worst, body.omitted, body.tokenBudget], ['major', 37, 1700]);
        assert.equal(body.truncatedAtTokens, 1700);
      }
      if (!body.truncated) break;
      next = body.continue;
    }
    assert.deepEqual(seen, stable.slice(1));

    const small = await ask({ package: slug, from: '1.0.0', to: '1.58.0', tokens: '1' });
    assert.equal(small.body.truncated, false, 'a budget below the least is the default');
    const withPre = await ask({ package: slug, from: '1.0.0', to: '1.59.0-rc.1', tokens: '500' });
    assert.deepEqual(withPre.body.continue, { from: '1.0.0', to: '1.57.0', include_prereleases: true });
  });

  it('never holds more than 300 entries, and always one', async () => {
    const { fill, ask } = world;
    const many = Array.from({ length: 320 }, (_, index) => ({ version: `0.${index}.0`, content: FIXED, summary: 's' }));
    const one = await fill(many);
    const long = await fill(['1.0.0', { version: '1.1.0', content: BREAKING, migrationNotes: 'm'.repeat(9000) }]);

    const all = await ask({ package: one.slug, from: '0.0.0', to: '1.0', tokens: '100000' });
    const over = await ask({ package: long.slug, from: '0.1.0', to: '1.1.0', tokens: '500' });

    assert.deepEqual([all.body.count, all.body.total, all.body.omitted], [300, 319, 19]);
    assert.deepEqual([all.body.entries[0].version, all.body.entries.at(-1).version], ['0.20.0', '0.319.0']);
    assert.deepEqual(all.body.continue, { from: '0.0.0', to: '0.19.0' });
    assert.deepEqual([versionsOf(over), over.body.omitted], [['1.1.0'], 1]);
  });

  it('tells releases that follow another package by the note of that package', async () => {
    const { ctx, fill, ask } = world;
    const push = { day: 5 };
    const { slug } = await fill(
      [
        { version: '@m/core@2.0.0', content: '- abc1234: Removed `old()`, use `fresh()` instead', ...push },
        { version: '@m/react@1.0.1', content: '- Updated dependencies [abc1234]', ...push },
        { version: '@m/react@1.0.0', content: FIXED, day: 1 },
        { version: '@m/react@1.1.0', content: FIXED, day: 9 },
      ],
      { type: 'github', url: 'https://github.com/m/all' },
    );
    const { canonical_id: core } = await ctx.store.read
      .selectFrom('release_coverage')
      .selectAll()
      .where('reason', '=', 'cascade:abc1234')
      .executeTakeFirstOrThrow();
    const query = { package: slug, from: '@m/react@1.0.0', to: '@m/react@1.1.0' };

    const reported = await ask(query);
    const [cascade] = reported.body.entries;
    assert.deepEqual(versionsOf(reported), ['@m/react@1.0.1', '@m/react@1.1.0']);
    assert.deepEqual([cascade.coveredBy, cascade.breaking, cascade.importance], [core, 'major', 1]);
    assert.match(cascade.summary, /old\(\)/);
    assert.match(cascade.migrationNotes, /fresh\(\)/);
    assert.deepEqual([reported.body.total, reported.body.worst], [2, 'major']);
    assert.deepEqual(reported.body.summary, {
      breaking: { major: 1, minor: 0, none: 1, unknown: 0 },
      firstBreaking: '@m/react@1.0.1',
      unnoted: 0,
      security: 0,
    });

    await suppressRelease(ctx, core, { suppressed: true, reason: 'wrong' });
    const alone = await ask(query);
    assert.deepEqual(versionsOf(alone), ['@m/react@1.0.1', '@m/react@1.1.0']);
    assert.deepEqual([alone.body.entries[0].coveredBy, alone.body.summary.breaking.major], [undefined, 0]);

    // A release that an operator marked as coverage of another one is not listed twice.
    const byHand = { decided_by: 'operator' };
    await transact(ctx, ({ tx }) =>
      tx.updateTable('release_coverage').set(byHand).where('canonical_id', '=', core).execute(),
    );
    assert.deepEqual(versionsOf(await ask(query)), ['@m/react@1.1.0']);
  });

  it('says why it is empty, and how the fetches of its source go', async () => {
    const { ctx, fill, ask } = world;
    const failing = { failing_since: '2026-01-01T00:00:00.000Z', last_outcome: 'gone' } as const;
    const fails = (id: string) =>
      ctx.store.transaction((tx) => tx.updateTable('sources').set(failing).where('id', '=', id).execute(), 'catalog');
    const empty = await fill([]);
    const never = await ask({ package: empty.slug, from: '1.0', to: '2.0' });
    await fails(empty.id);
    const broken = await ask({ package: empty.slug, from: '1.0', to: '2.0' });
    const some = await fill(['1.0.0', '1.4.0', '1.2.0']);
    const outside = await ask({ package: some.slug, from: '1.2', to: '1.3' });
    await fails(some.id);
    const outsideBroken = await ask({ package: some.slug, from: '1.2', to: '1.3' });

    assert.deepEqual([never.body.status, never.body.reason, never.body.suggestions], ['unknown', 'no_releases', []]);
    assert.equal(never.body.source.sourceId, empty.id);
    assert.match(never.body.hint, /not fetched yet/);
    assert.match(broken.body.hint, /failed since 2026-01-01T00:00:00\.000Z \(last outcome: gone\)/);
    assert.deepEqual([outside.body.status, outside.body.reason], ['resolved', 'history_gap']);
    assert.match(outside.body.hint, /^Version 1\.3 is not stored.*from 1\.0\.0 to 1\.4\.0\. /);
    assert.match(outsideBroken.body.hint, /1\.4\.0\. .*Its fetches have failed since 2026-01-01/);
  });

  it('refused: parameters that are missing, too long or of no known kind', async () => {
    const { ask } = world;
    const whole = { package: 'a', from: '1', to: '2' };
    const cases: [Record<string, string>, string][] = [
      [{ from: '1', to: '2' }, 'package'],
      [{ package: 'a', to: '2' }, 'from'],
      [{ package: 'a', from: '1', to: '  ' }, 'to'],
      [{ ...whole, package: 'a'.repeat(201) }, 'package'],
      [{ ...whole, ecosystem: 'cargo' }, 'ecosystem'],
      [{ ...whole, include_prereleases: 'yes' }, 'include_prereleases'],
    ];
    for (const [query, parameter] of cases) {
      const { status, body } = await ask(query);
      assert.deepEqual([status, body.error?.code, body.error?.details.parameter], [400, 'bad_request', parameter]);
    }
  });
});
