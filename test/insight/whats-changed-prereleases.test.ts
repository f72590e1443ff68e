// What pre-releases break stays broken in the final version, whether a range lists them or not.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import type { OmittedBreak, UpgradeStep } from '../../src/contract/whats-changed.ts';
import { whatsChangedBatch } from '../../src/packages/whats-changed/index.ts';
import { forEachEngine } from '../support/engines.ts';
import { openUpgradeWorld, type Stored, type UpgradeWorld, versionsOf } from './upgrade-world.ts';

const FIXED = '### Fixed\n- Crash on start of the second window';
const LINK = 'https://example.com/changelog';
const removes = (name: string) => `### Breaking\n- Removed \`${name}()\`, use \`fresh()\` instead.`;
const deprecates = (name: string) => `### Deprecated\n- \`${name}()\` is deprecated.`;

const STORED: Stored[] = [
  { version: '1.0.0', content: FIXED },
  { version: '1.1.0-beta.1', content: deprecates('dim') },
  { version: '1.1.0', content: FIXED },
  { version: '2.0.0-beta.1', content: LINK },
  { version: '2.0.0-beta.2', content: removes('open') },
  { version: '2.0.0-beta.3', content: FIXED },
  { version: '2.0.0', content: 'No breaking changes since the last beta.\n\n- Added a lamp' },
  { version: '2.0.1', content: FIXED },
  { version: '2.1.0-beta.1', content: removes('shut') },
];

interface Expected {
  entries: string[];
  judgement: string | null;
  worst: string | null;
  // Named although they are not listed.
  breaks: string[];
  steps: string[];
}

const OPEN = 'Removed `open()`, use `fresh()` instead.';
const CASES: [from: string, to: string, expected: Expected][] = [
  [
    '1.0.0',
    '1.1.0',
    { entries: ['1.1.0'], judgement: 'may_break', worst: 'minor', breaks: ['1.1.0-beta.1'], steps: [] },
  ],
  [
    '1.1.0',
    '2.0.1',
    { entries: ['2.0.0', '2.0.1'], judgement: 'breaks', worst: 'major', breaks: ['2.0.0-beta.2'], steps: [OPEN] },
  ],
  [
    '2.0.0-beta.1',
    '2.0.0',
    { entries: ['2.0.0'], judgement: 'breaks', worst: 'major', breaks: ['2.0.0-beta.2'], steps: [OPEN] },
  ],
  ['2.0.0-beta.2', '2.0.0', { entries: ['2.0.0'], judgement: 'no_sign', worst: 'none', breaks: [], steps: [] }],
  ['2.0.0', '2.0.1', { entries: ['2.0.1'], judgement: 'no_sign', worst: 'none', breaks: [], steps: [] }],
];

forEachEngine('pre-releases of a range that lists none', (engine) => {
  let world: UpgradeWorld;
  let slug: string;
  before(async () => {
    world = await openUpgradeWorld(engine);
    ({ slug } = await world.fill(STORED));
  });

  const told = (body: { omittedBreaking?: OmittedBreak[]; steps: UpgradeStep[] }) => ({
    breaks: (body.omittedBreaking ?? []).map(({ version }) => version),
    steps: body.steps.map(({ text }) => text),
  });

  it('give it their breaks and steps', async () => {
    for (const [from, to, expected] of CASES) {
      const answer = await world.ask({ package: slug, from, to });
      const { judgement, worst, truncated } = answer.body;
      const name = `${from} → ${to}`;
      assert.deepEqual({ entries: versionsOf(answer), judgement, worst, ...told(answer.body) }, expected, name);
      assert.equal(truncated, false, name);
    }
    const items = Array.from({ length: 3 }, () => CASES)
      .flat()
      .map(([from, to]) => ({ package: slug, from, to }));
    const { items: answers } = await whatsChangedBatch(world.ctx, { items });
    const judgements = answers.map((answer) => 'judgement' in answer && answer.judgement);
    const expected = CASES.map(([, , { judgement }]) => judgement);
    assert.deepEqual(judgements, [...expected, ...expected, ...expected], 'in a batch');
  });

  it('are told with their own version, once', async () => {
    const { body } = await world.ask({ package: slug, from: '1.1.0', to: '2.0.1' });
    assert.deepEqual(
      body.steps.map(({ versions }: UpgradeStep) => versions),
      [['2.0.0-beta.2']],
    );
    assert.deepEqual(
      body.omittedBreaking.map(({ prerelease }: OmittedBreak) => prerelease),
      [true],
    );
    const listed = await world.ask({ package: slug, from: '1.1.0', to: '2.0.1', include_prereleases: 'true' });
    assert.deepEqual([listed.body.worst, listed.body.omittedBreaking], ['major', undefined]);
    assert.deepEqual(told(listed.body).steps, [OPEN]);
  });

  it('stand for a final version that is not stored', async () => {
    const { slug: other } = await world.fill([
      STORED[0] as Stored,
      { version: '2.0.0-beta.2', content: removes('open') },
    ]);
    const { body } = await world.ask({ package: other, from: '1.0.0', to: '2.0.0' });
    assert.deepEqual([body.judgement, body.worst, body.total, body.reason], ['breaks', 'major', 0, 'history_ends']);
    assert.deepEqual(told(body), { breaks: ['2.0.0-beta.2'], steps: [OPEN] });
  });

  it('are named by the page', async () => {
    const path = `/whats-changed?package=${slug}&from=1.1.0&to=2.0.1`;
    const $ = load((await world.service.anonymous.get(path, { Accept: 'text/html' })).text);
    const sentence = 'Yes, it breaks: 2.0.0-beta.2, a pre-release in between, has breaking changes';
    assert.equal($('.answer h2').first().text(), sentence);
    assert.match($('.todo').text(), /Replace open with fresh\(\)/);
    assert.match($('#prereleases').text(), /2\.0\.0-beta\.2/);
  });
});
