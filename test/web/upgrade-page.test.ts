// The page of an upgrade: its addresses, what it shows, and its forms for programs, badges and previews.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { transact } from '../../src/context.ts';
import type { EvidenceFinding } from '../../src/contract/evidence.ts';
import { RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { toJson } from '../../src/store/json-text.ts';
import { listPublished } from '../insight/published.ts';
import { openUpgradeWorld, type UpgradeWorld } from '../insight/upgrade-world.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';

const AT = '2026-06-01T12:00:00.000Z';
const NAME = 'stepping';
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0', '2.1.0', '3.0.0', '3.0.1'];
const integrityOf = (version: string) => `sha512-${Buffer.from(version).toString('base64')}`;

const gone = (name: string, weight = 80): EvidenceFinding => ({
  kind: 'export_removed',
  name,
  subpath: '.',
  certainty: 'proven',
  was: weight < 60 ? 'interface' : 'function',
  is: null,
  text: `\`${name}\` is no longer exported`,
  weight,
});
const FLOOR: EvidenceFinding = {
  ...gone('engines.node', 100),
  kind: 'engines_raised',
  subpath: '',
  was: '>=18',
  is: '>=20',
  text: 'needs Node 20 (18 before)',
};
const TYPES = Array.from({ length: 220 }, (_, index) =>
  gone(`Widget${String.fromCharCode(65 + (index % 26))}${index}`, 40),
);

forEachEngine('the page of an upgrade', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    world = await openUpgradeWorld(engine, { clock: movableClock(AT) });
    const fixed = '### Fixed\n- Crash on start of the second window';
    const { id: sourceId } = await world.fill(
      VERSIONS.map((version) => ({
        version,
        content: version === '2.0.0' ? '### Breaking\n- `close` has been renamed to `end`' : fixed,
        ...(version === '2.0.0'
          ? { breaking: 'major' as const, migrationNotes: '- `close` has been renamed to `end`' }
          : {}),
      })),
    );
    await putPackage(world.ctx, { ecosystem: 'npm', name: NAME, sourceId });
    await listPublished(
      world.ctx,
      NAME,
      VERSIONS.map((version) => ({
        version,
        tarballUrl: `https://npm.example/${version}.tgz`,
        integrity: integrityOf(version),
      })),
    );
    await compared(['1.1.0', '3.0.1'], [FLOOR, gone('open'), ...TYPES]);
    await compared(['2.1.0', '3.0.0'], [FLOOR, gone('open'), gone('passing')]);
  });

  async function compared([from, to]: [string, string], findings: EvidenceFinding[]): Promise<void> {
    const row = {
      from_integrity: integrityOf(from),
      to_integrity: integrityOf(to),
      beside: '',
      rules: RULES_VERSION,
      ecosystem: 'npm' as const,
      name: NAME,
      from_version: from,
      to_version: to,
      status: 'compared' as const,
      types: 'own' as const,
      findings: toJson(findings.slice(0, 200)),
      further: findings.length > 200 ? toJson(findings.slice(200)) : null,
      more: 0,
      proven: findings.length,
      likely: 0,
      beside_names: toJson([]),
      reason: null,
      bytes: 0,
      compared_at: AT,
    };
    await transact(world.ctx, ({ tx }) => tx.insertInto('evidence_pairs').values(row).execute());
  }

  const get = (step: string, accept = 'text/html') =>
    world.service.anonymous.get(`/packages/npm/${NAME}/${step}`, { Accept: accept });

  it('has one spelling, and what is no upgrade is not found', async () => {
    const moved: [given: string, written: string][] = [
      ['v1-to-3', '1-to-3'],
      ['1.1-to-v3.0.1', '1.1.0-to-3.0.1'],
      ['v1-to-3.json', '1-to-3.json'],
      ['v1-to-3/badge.svg', '1-to-3/badge.svg'],
    ];
    for (const [given, written] of moved) {
      const { status, headers } = await get(given);
      assert.deepEqual([status, headers.get('location')], [308, `/packages/npm/${NAME}/${written}`], given);
    }
    for (const step of ['3-to-1', '1-to-9', 'one-to-two', '1.0.0-to-2.0.0-to-3.0.0'])
      assert.equal((await get(step)).status, 404, step);
  });

  it('is told to search engines by its majors while both mean the same', async () => {
    const canonicalOf = async (step: string) =>
      load((await get(step)).text)('link[rel=canonical]').attr('href') ?? null;
    const home = `${world.ctx.config.webUrl}/packages/npm/${NAME}`;
    assert.equal(await canonicalOf('1-to-3'), `${home}/1-to-3`);
    assert.equal(await canonicalOf('1.1.0-to-3.0.1'), `${home}/1-to-3`);
    assert.equal(await canonicalOf('1-to-latest'), `${home}/1-to-3`);
    assert.equal(await canonicalOf('1.0.0-to-3.0.1'), `${home}/1.0.0-to-3.0.1`);
  });

  it('a question about the package leads to it', async () => {
    for (const more of ['&ecosystem=npm', '']) {
      const path = `/whats-changed?package=${NAME}&from=1.1.0&to=3.0.1${more}`;
      const { status, headers } = await world.service.anonymous.get(path, { Accept: 'text/html' });
      assert.deepEqual([status, headers.get('location')], [303, `/packages/npm/${NAME}/1.1.0-to-3.0.1`], path);
    }
    const ranged = await world.service.anonymous.get(`/whats-changed?package=${NAME}&ecosystem=npm&from=^1.0.0`, {
      Accept: 'text/html',
    });
    assert.equal(ranged.status, 200);
  });

  it('says why in one sentence, what to do by verbs, and what happened in which version', async () => {
    const $ = load((await get('1-to-3')).text);
    const sentence = $('h1').text();
    assert.match(sentence, /^stepping 1 → 3 breaks: Node 20 is needed/);
    assert.match($('title').text(), new RegExp(`^${sentence}`));
    assert.equal(
      $('meta[property="og:image"]').attr('content'),
      `${world.ctx.config.webUrl}/packages/npm/${NAME}/1-to-3/card.png`,
    );
    const steps = $('.todo ol > li > span')
      .get()
      .map((step) => $(step).clone().children('.src, .ba').remove().end().text());
    assert.ok(steps.includes('Replace close with end'), steps.join('; '));
    assert.ok(steps.includes('Raise Node to 20 or newer'), steps.join('; '));
    assert.match($('.todo .ba').text(), /engines\.node: ">=18".*engines\.node: ">=20"/);
    const article = $('[id="b-3.0.0"]');
    assert.match(article.find('.findings').first().text(), /needs Node 20.*open is no longer exported/);
    assert.match(article.find('.not-yours').text(), /passing is no longer exported/);
    const others = $('.brk').last();
    assert.match(others.text(), /Between 1\.1\.0 and 3\.0\.1.*220 types that begin with Widget are gone/s);
    assert.ok($('#breaking .finding').not($('details .finding')).length <= 12);
  });

  it('has all findings with their weight as JSON, and a text that starts with what to do', async () => {
    const { evidence } = (await get('1-to-3.json', '*/*')).body;
    const [whole] = evidence.pairs;
    assert.equal(whole.findings.length, 222);
    assert.deepEqual(
      whole.findings.slice(0, 3).map(({ name, weight }: EvidenceFinding) => [name, weight]),
      [
        ['engines.node', 100],
        ['open', 80],
        ['WidgetA0', 40],
      ],
    );
    const short = (await world.ask({ package: NAME, ecosystem: 'npm', from: '1.1.0', to: '3.0.1' })).body;
    assert.equal(short.evidence.pairs[0].findings.length, 20);
    const { text } = await get('1-to-3.md', '*/*');
    assert.match(text, /^---\npackage: stepping\n.*judgement: breaks/s);
    assert.match(text, /#### What to do\n\n- \[ \] /);
    assert.match(text, /- \[ \] Replace `close` with `end` \(2\.0\.0; notes\)/);
  });

  it('has a badge, a card and a place in the sitemap', async () => {
    assert.match((await get('1-to-3/badge.svg', '*/*')).text, /aria-label="1 → 3: breaks"/);
    for (const path of [`packages/npm/${NAME}/1-to-3`, `packages/npm/${NAME}`]) {
      const { status, headers } = await world.service.anonymous.get(`/${path}/card.png`);
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
      assert.match(headers.get('cache-control') ?? '', /max-age=3600/, path);
    }
    const sitemap = (await world.service.anonymous.get('/sitemap/upgrades-1.xml')).text;
    assert.deepEqual(
      [...sitemap.matchAll(/<loc>[^<]*\/stepping\/([^<]*)<\/loc>/g)].map(([, step]) => step),
      ['2-to-3'],
    );
  });
});
