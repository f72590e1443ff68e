// A new major version whose notes say nothing of what breaks: the number is the witness, and the notes are not called one.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { transact } from '../../src/context.ts';
import { ANONYMOUS } from '../../src/contract/caller.ts';
import type { UpgradeEntry } from '../../src/contract/whats-changed.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createLocalApis } from '../../src/mcp/local-api.ts';
import { runTool } from '../../src/mcp/server.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { patchRelease } from '../../src/releases/write/patch.ts';
import { storeRefinedFields } from '../../src/releases/write/refine.ts';
import { as } from '../support/callers.ts';
import { forEachEngine } from '../support/engines.ts';
import { followed } from './report-world.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld } from './upgrade-world.ts';

const FIXED = '### Fixed\n- Crash on start of the second window';
const LINK = 'https://example.com/changelog';
const BREAKING = '### Breaking\n- Removed `old()`, use `fresh()` instead.';
const SENTENCE = /a new major version; its notes say nothing of what breaks/i;

forEachEngine('a break that only a number tells of', (engine) => {
  let world: UpgradeWorld;
  let count = 0;
  before(async () => {
    world = await openUpgradeWorld(engine);
  });

  async function stored(...versions: Stored[]): Promise<{ name: string; sourceId: string }> {
    count += 1;
    const name = `lamp-${count}`;
    const { id: sourceId } = await world.fill(versions);
    await putPackage(world.ctx, { ecosystem: 'pypi', name, sourceId });
    return { name, sourceId };
  }

  const ask = async (name: string, from: string, to: string, more: Record<string, string> = {}) =>
    (await world.ask({ package: name, ecosystem: 'pypi', from, to, ...more })).body;

  it('is judged by the version, by notes only where others say what breaks', async () => {
    const { name } = await stored(
      { version: '1.0.0', content: FIXED },
      { version: '2.0.0', content: LINK },
      { version: '2.0.1', content: FIXED },
      { version: '3.0.0', content: FIXED },
      { version: '4.0.0', content: BREAKING },
    );
    const cases: [from: string, to: string, judgedBy: string[]][] = [
      ['1.0.0', '2.0.0', ['version']],
      ['1.0.0', '2.0.1', ['version']],
      ['1.0.0', '3.0.0', ['version']],
      ['2.0.0', '2.0.1', ['notes']],
      ['3.0.0', '4.0.0', ['notes']],
      ['1.0.0', '4.0.0', ['notes', 'version']],
    ];
    for (const [from, to, judgedBy] of cases) {
      for (const more of [{}, { breaking_only: 'true' }, { tokens: '500' }] as Record<string, string>[]) {
        const answer = await ask(name, from, to, more);
        assert.deepEqual(answer.judgedBy, judgedBy, `${from} → ${to} ${JSON.stringify(more)}`);
      }
    }
    const { entries, judgement } = await ask(name, '1.0.0', '4.0.0');
    assert.equal(judgement, 'breaks');
    const marked = entries.filter(({ judgedBy }: UpgradeEntry) => judgedBy === 'version');
    assert.deepEqual(
      marked.map(({ version }: UpgradeEntry) => version),
      ['2.0.0', '3.0.0'],
    );
  });

  it('is said everywhere in these words, and nowhere by the notes', async () => {
    const { name } = await stored({ version: '1.0.0', content: FIXED }, { version: '2.0.0', content: LINK });
    const query = `package=${name}&ecosystem=pypi&from=1.0.0&to=2.0.0`;
    const { service, ctx } = world;
    const accept = { Accept: 'text/html' };
    const asked = await service.anonymous.get(`/whats-changed?${query}`, accept);
    const $ = load((await followed(service, asked, accept)).text);
    assert.match($('.answer h1').first().text(), SENTENCE);
    assert.match($('.proof').text(), /2\.0\.0 is a new major version and says nothing of what breaks/);
    const markdown = (await service.anonymous.get(`/whats-changed?${query}`, { Accept: 'text/markdown' })).text;
    assert.match(markdown, SENTENCE);
    const overview = (await service.anonymous.get(`/packages/pypi/${name}`, { Accept: 'text/html' })).text;
    const page = load(overview)('.steps-table').text();
    assert.match(page, SENTENCE);
    const badge = (await service.anonymous.get(`/packages/pypi/${name}/badge.svg?from=1.0.0`)).text;
    assert.match(badge, /new major version/);
    const tool = TOOLS.find((one) => one.name === 'whats_changed');
    assert.ok(tool);
    const api = createLocalApis(ctx, ROUTES)(ANONYMOUS);
    const given = { package: name, ecosystem: 'pypi', from: '1.0.0', to: '2.0.0' };
    const outcome = await runTool({ api, log: ctx.log }, tool, given);
    assert.ok(outcome.kind === 'result');
    assert.match(outcome.text, SENTENCE);
    const form = new URLSearchParams({ mode: 'both', old_text: `${name}==1.0.0\n`, new_text: `${name}==2.0.0\n` });
    const post = await service.anonymous.post('/whats-changed', `${form}&format=md`, {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: service.origin,
    });
    assert.match(post.text, SENTENCE, 'the comment of a pull request');
    for (const text of [$('main').text(), markdown, page, outcome.text, post.text]) {
      assert.doesNotMatch(text, /by the notes|notes say so|the notes call it/i);
    }
  });

  it('ends when somebody says what breaks: an operator, a model that quotes it, a guide', async () => {
    const admin = as(world.ctx, 'admin');
    const { name, sourceId } = await stored(
      { version: '1.0.0', content: FIXED },
      { version: '2.0.0', content: LINK },
      { version: '3.0.0', content: LINK },
      { version: '4.0.0', content: LINK },
    );
    const rows = await world.ctx.store.read
      .selectFrom('releases')
      .selectAll()
      .where('source_id', '=', sourceId)
      .orderBy('seq')
      .execute();
    const [, two, three, four] = rows;
    assert.ok(two && three && four);
    const judgedBy = async (from: string, to: string) => (await ask(name, from, to)).judgedBy;
    assert.deepEqual(await judgedBy('1.0.0', '4.0.0'), ['version']);
    await patchRelease(admin, two.id, { breaking: 'major' });
    await storeRefinedFields(admin, three, { breaking: 'major' });
    await transact(admin, ({ tx }) =>
      tx.updateTable('releases').set({ migration_notes: '- Run `kit move`.' }).where('id', '=', four.id).execute(),
    );
    assert.deepEqual(await judgedBy('1.0.0', '2.0.0'), ['notes']);
    assert.deepEqual(await judgedBy('2.0.0', '3.0.0'), ['notes']);
    assert.deepEqual(await judgedBy('3.0.0', '4.0.0'), ['notes']);
  });
});
