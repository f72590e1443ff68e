// What an answer says that has to leave out a part of its range: every break is named.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { transact } from '../../src/context.ts';
import type { OmittedBreak, UpgradeEntry, WhatsChanged } from '../../src/contract/whats-changed.ts';
import { breakCost, entryCost } from '../../src/domain/upgrade/budget.ts';
import { changeListing } from '../../src/releases/write/change-listing.ts';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld } from './upgrade-world.ts';

const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const FIXED = '### Fixed\n- Crash on start of the second window';
const SUMMARY = 'x'.repeat(600);
// Every tenth release breaks.
const SIXTY = Array.from({ length: 60 }, (_, index): Stored => {
  const content = index % 10 === 3 ? BREAKING : FIXED;
  return { version: `1.${index}.0`, title: `Number ${index}`, content, summary: SUMMARY };
});

const isBreak = ({ breaking }: Pick<UpgradeEntry, 'breaking'>) => breaking === 'major' || breaking === 'minor';
const versions = (list: readonly { version: string | null }[] = []) => list.map(({ version }) => version);

function namedBreaks({ omittedBreaking = [], entries }: WhatsChanged): (string | null)[] {
  return versions([...omittedBreaking, ...entries.filter(isBreak)]);
}

forEachEngine('an answer that is cut', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    world = await openUpgradeWorld(engine);
  });
  const ask = async (query: Record<string, string>): Promise<WhatsChanged> => (await world.ask(query)).body;

  it('names every break that it leaves out, oldest first, within its budget', async () => {
    const { slug } = await world.fill(SIXTY);
    for (const tokens of [500, 1700, 5000]) {
      const body = await ask({ package: slug, from: '1.0.0', to: 'latest', tokens: String(tokens) });

      assert.deepEqual(namedBreaks(body), ['1.3.0', '1.13.0', '1.23.0', '1.33.0', '1.43.0', '1.53.0']);
      assert.equal(body.summary.breaking.major, 6);
      assert.equal((body.omitted ?? 0) + body.count, body.total);
      const cost = [...(body.omittedBreaking ?? []).map(breakCost), ...body.entries.map(entryCost)];
      assert.ok(body.count === 1 || cost.reduce((sum, one) => sum + one, 0) <= tokens, `${tokens}: ${cost}`);
    }
    const { omittedBreaking = [] } = await ask({ package: slug, from: '1.0.0', to: 'latest', tokens: '1700' });
    const [first] = omittedBreaking as [OmittedBreak];
    assert.deepEqual(
      { ...first, id: '' },
      {
        id: '',
        version: '1.3.0',
        breaking: 'major',
        title: 'Number 3',
        step: '- Removed `old()`, use `fresh()` instead.',
      },
    );
    assert.match(first.id, /^rel_/);
    assert.equal((await ask({ package: slug, from: '1.50.0', to: 'latest' })).omittedBreaking, undefined);
  });

  it('says so in text and in a batch', async () => {
    const { slug } = await world.fill(SIXTY);
    const path = `/v1/whats-changed?package=${slug}&from=1.0.0&to=latest&tokens=1700`;
    const { text } = await world.service.anonymous.get(path, { Accept: 'text/markdown' });
    const items = Array.from({ length: 100 }, (_, index) => ({
      package: slug,
      from: `1.${index % 5}.0`,
      to: 'latest',
    }));
    const { body } = await world.service.anonymous.post('/v1/whats-changed/batch', { items });

    assert.match(text, /left out below\n\n- 1\.3\.0 \(major\) Number 3 rel_\w+\n {2}First step: Removed `old\(\)`/);
    assert.ok(text.indexOf('1.13.0') < text.indexOf('<Release'));
    for (const item of body.items) assert.equal(namedBreaks(item).length, item.summary.breaking.major, item.from);
  });

  it('lists the breaks alone for whoever wants no more, and counts all', async () => {
    const { slug } = await world.fill(SIXTY);
    const query = { package: slug, from: '1.0.0', to: 'latest', breaking_only: 'true' };
    const all = await ask(query);
    const some = await ask({ ...query, tokens: '500' });
    const none = await ask({ ...query, from: '1.54.0' });

    assert.deepEqual(versions(all.entries), ['1.3.0', '1.13.0', '1.23.0', '1.33.0', '1.43.0', '1.53.0']);
    assert.deepEqual([all.truncated, all.count, all.total, all.summary.breaking.none], [false, 6, 59, 53]);
    assert.deepEqual([some.truncated, some.omitted], [true, 6 - some.count]);
    assert.deepEqual(namedBreaks(some), versions(all.entries));
    assert.deepEqual([none.entries, none.total, none.truncated], [[], 5, false]);
    assert.match(none.hint ?? '', /^No break is known of the 5 releases of this range\.$/);
  });

  it('names withdrawn breaks and those of a release that follows another package', async () => {
    const later = Array.from({ length: 20 }, (_, index): Stored => {
      return { version: `@m/react@1.${index + 2}.0`, content: FIXED, summary: SUMMARY, day: 20 + index };
    });
    const { id, slug } = await world.fill(
      [
        { version: '@m/core@2.0.0', content: '- abc1234: Removed `old()`, use `fresh()` instead', day: 5 },
        { version: '@m/react@1.0.1', content: '- Updated dependencies [abc1234]', day: 5 },
        { version: '@m/react@1.0.0', content: FIXED, day: 1 },
        { version: '@m/react@1.1.0', content: BREAKING, day: 9 },
        ...later,
      ],
      { type: 'github', url: 'https://github.com/m/cut' },
    );
    const { id: withdrawn } = await world.ctx.store.read
      .selectFrom('releases')
      .select('id')
      .where('source_id', '=', id)
      .where('version', '=', '@m/react@1.1.0')
      .executeTakeFirstOrThrow();
    const fact = { suppressed: 1, suppressed_reason: 'yanked', suppressed_by: 'source' } as const;
    await transact(world.ctx, (ctx) => changeListing(ctx, withdrawn, fact));
    const query = { package: slug, from: '@m/react@1.0.0', to: '@m/react@1.21.0', tokens: '500' };

    const { omittedBreaking = [], summary } = await ask(query);
    const alone = await ask({ ...query, breaking_only: 'true' });

    assert.deepEqual([versions(omittedBreaking), summary.breaking.major], [['@m/react@1.0.1', '@m/react@1.1.0'], 2]);
    assert.match(omittedBreaking[0]?.step ?? '', /fresh\(\)/);
    assert.deepEqual(namedBreaks(alone), ['@m/react@1.0.1', '@m/react@1.1.0']);
  });
});
