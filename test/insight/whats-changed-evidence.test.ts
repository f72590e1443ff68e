// What published packages show, in upgrade answers and by itself: from stored results, without a download.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { load } from 'cheerio';
import { plainAnswer, transact } from '../../src/context.ts';
import { ANONYMOUS } from '../../src/contract/caller.ts';
import type { EvidenceFinding } from '../../src/contract/evidence.ts';
import { RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import { countTokens } from '../../src/domain/tokens/index.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { ROUTES } from '../../src/http/routes/index.ts';
import { createLocalApis } from '../../src/mcp/local-api.ts';
import { runTool } from '../../src/mcp/server.ts';
import { TOOLS } from '../../src/mcp/tools/index.ts';
import { whatsChangedBatch } from '../../src/packages/whats-changed/index.ts';
import { toJson } from '../../src/store/json-text.ts';
import type { EvidencePairRow } from '../../src/store/schema/evidence.ts';
import { silentNotes, silentNotesReport } from '../../tools/eval-api/against-notes.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { statements } from '../support/statements.ts';
import { listPublished } from './published.ts';
import { followed } from './report-world.ts';
import { openUpgradeWorld, type UpgradeWorld } from './upgrade-world.ts';

const AT = '2026-06-01T12:00:00.000Z';

const removed = (name: string): EvidenceFinding => ({
  kind: 'export_removed',
  name,
  subpath: '.',
  certainty: 'proven',
  was: 'function',
  is: null,
  text: `\`${name}\` is no longer exported`,
});

forEachEngine('evidence in upgrade answers', (engine) => {
  let world: UpgradeWorld;
  let count = 0;
  before(async () => {
    const env = { REGISTRY_PACKAGE_REGISTRIES: '@acme=https://npm.acme.example' };
    world = await openUpgradeWorld(engine, { clock: movableClock(AT), env });
  });

  // A package with these versions listed and noted, which somebody follows.
  async function published(
    versions: readonly string[],
    { name, known = true }: { name?: string; known?: boolean } = {},
  ) {
    count += 1;
    const named = name ?? `pkg-${count}`;
    const content = '### Fixed\n- Crash on start of the second window';
    const { id: sourceId } = await world.fill(versions.map((version) => ({ version, content })));
    await putPackage(world.ctx, { ecosystem: 'npm', name: named, sourceId });
    const listed = versions.map((version) => {
      const integrity = integrityOf(named, version);
      return { version, tarballUrl: `https://npm.example/${named}/-/${version}.tgz`, integrity };
    });
    await listPublished(world.ctx, named, listed, { registry: named.startsWith('@acme/') ? '@acme' : null });
    if (known) {
      await transact(world.ctx, ({ tx }) =>
        tx.updateTable('package_states').set({ next_read_at: AT }).where('name', '=', named).execute(),
      );
    }
    return named;
  }

  const integrityOf = (name: string, version: string) =>
    `sha512-${Buffer.from(`${name} ${version}`).toString('base64')}`;

  async function compared(
    name: string,
    [from, to]: [string, string],
    findings: EvidenceFinding[] = [],
    more: Partial<EvidencePairRow> = {},
  ): Promise<void> {
    const row: EvidencePairRow = {
      from_integrity: integrityOf(name, from),
      to_integrity: integrityOf(name, to),
      beside: '',
      rules: RULES_VERSION,
      ecosystem: 'npm',
      name,
      from_version: from,
      to_version: to,
      status: 'compared',
      types: 'own',
      findings: toJson(findings),
      further: null,
      more: 0,
      proven: findings.length,
      likely: 0,
      beside_names: toJson([]),
      reason: null,
      bytes: 0,
      compared_at: AT,
      ...more,
    };
    await transact(world.ctx, ({ tx }) => tx.insertInto('evidence_pairs').values(row).execute());
  }

  const ask = async (name: string, from: string, to: string) =>
    (await world.ask({ package: name, ecosystem: 'npm', from, to })).body;
  const orders = (name: string) =>
    world.ctx.store.read.selectFrom('evidence_orders').selectAll().where('name', '=', name).execute();

  it('a lockfile shows what the packages prove, on the page and in the comment', async () => {
    const name = await published(['1.0.0', '1.1.0']);
    await compared(name, ['1.0.0', '1.1.0'], [removed('open')]);
    const lock = (version: string) =>
      JSON.stringify({
        lockfileVersion: 3,
        packages: { '': { dependencies: { [name]: '*' } }, [`node_modules/${name}`]: { version } },
      });
    const form = new URLSearchParams({ mode: 'both', old_text: lock('1.0.0'), new_text: lock('1.1.0') });
    const { service } = world;
    const post = (more = '') =>
      service.anonymous.post('/whats-changed', `${form}${more}`, {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: service.origin,
      });
    const $ = load((await followed(service, await post())).text);
    assert.equal($('.answer h1').text().trim(), 'The one changed package breaks, a direct dependency');
    assert.equal($('.report .why').text().trim(), 'open is no longer exported; the notes do not mention it');
    assert.match($('.report').text(), /Package itself\s*1 change that breaks\. The notes do not mention it\./);
    assert.match((await post('&format=md')).text, /`open` is no longer exported; the notes do not mention it/);
  });

  it('shows the whole range, the steps inside of it, and the step of an entry', async () => {
    const name = await published(['1.0.0', '1.1.0', '1.2.0', '1.3.0']);
    const many = Array.from({ length: 30 }, (_, at) => removed(`a${at}`));
    await compared(name, ['1.0.0', '1.3.0'], many);
    await compared(name, ['1.1.0', '1.2.0'], many);
    await compared(name, ['1.0.0', '1.2.0'], many);

    const body = await ask(name, '1.0.0', '1.3.0');

    assert.deepEqual([body.evidence.status, body.evidence.counts], ['compared', { proven: 30, likely: 0 }]);
    assert.deepEqual(
      body.evidence.pairs.map((pair: { from: string; to: string; findings: unknown[] }) => [
        pair.from,
        pair.to,
        pair.findings.length,
      ]),
      [
        ['1.0.0', '1.3.0', 20],
        ['1.0.0', '1.2.0', 20],
        ['1.1.0', '1.2.0', 20],
      ],
    );
    assert.deepEqual(
      body.entries.map((entry: { evidence?: unknown }) => entry.evidence),
      [undefined, { counts: { proven: 30, likely: 0 } }, undefined],
    );
    assert.deepEqual([body.worst, body.history.complete], ['none', true], 'the verdict stays what the notes say');
    const narrow = await ask(name, '1.2.0', '1.3.0');
    assert.deepEqual(narrow.evidence, { status: 'pending', pairs: [], counts: { proven: 0, likely: 0 } });
  });

  it('the page shows the package as a second lane, its changes inside of versions, and what only the own code can tell', async () => {
    const name = await published(['1.0.0', '1.1.0', '1.2.0', '1.3.0']);
    const [one, two, three, four, five] = ['a', 'b', 'c', 'd', 'e'].map(removed) as [
      EvidenceFinding,
      ...EvidenceFinding[],
    ];
    const own = [one, two, three, four].flatMap((finding) => finding ?? []);
    await compared(name, ['1.0.0', '1.3.0'], [...own, five as EvidenceFinding]);
    await compared(name, ['1.1.0', '1.2.0'], own);
    const path = `/packages/npm/${name}/1.0.0-to-1.3.0`;
    const $ = load((await world.service.anonymous.get(path, { Accept: 'text/html' })).text);
    assert.deepEqual(
      $('.lanes svg.lane[aria-label]')
        .map((_, lane) => $(lane).attr('aria-label'))
        .get(),
      [
        'Notes: 3 versions in order: 0 breaking, 0 may break, 0 not known',
        'Package: compared in 2 steps; breaks at 1.2.0',
      ],
    );
    assert.equal($('.jumps a.major').text(), '1.2.0 package only');
    const article = $(`[id="${$('.jumps a.major').attr('href')?.slice(1)}"]`);
    assert.match(article.find('.notes').text(), /Nothing about a break/);
    assert.equal(article.find('.says .findings > .finding').length, 4);
    const rest = $('#breaking .brk').last();
    assert.match(rest.text(), /Between 1\.0\.0 and 1\.3\.0/);
    assert.equal(rest.find('.finding').length, 1, 'what a version shows is not told twice');
    assert.match($('.proof').text(), /Your codeNot looked at here\. registry check pkg-\d+ says which of these names/);
  });

  it('the page shows what a package proves of which no notes are stored', async () => {
    const name = await published(['1.0.0', '1.1.0']);
    await compared(name, ['1.0.0', '1.1.0'], [removed('a')]);
    await transact(world.ctx, ({ tx }) => tx.deleteFrom('packages').where('name', '=', name).execute());
    const path = `/packages/npm/${name}/1.0.0-to-1.1.0`;
    const $ = load((await world.service.anonymous.get(path, { Accept: 'text/html' })).text);
    assert.equal($('.answer').attr('data-level'), 'major');
    assert.equal($('.answer h1').text(), `${name} 1.0.0 → 1.1.0 breaks: a is gone`);
    assert.match($('.proof').text(), /Package itself1 proven change that breaks/);
    assert.equal($('#breaking .finding').length, 1);
  });

  it('agents get the changes of the package in their text, and these count in its budget', async () => {
    const name = await published(['1.0.0', '1.1.0', '1.2.0']);
    const many = Array.from({ length: 60 }, (_, at) => removed(`aVeryLongNameOfSomeFunction${at}`));
    await compared(name, ['1.0.0', '1.2.0'], many);
    await compared(name, ['1.0.0', '1.1.0'], many);
    const api = createLocalApis(world.ctx, ROUTES)(ANONYMOUS);
    const tool = TOOLS.find((one) => one.name === 'whats_changed');
    assert.ok(tool);
    const call = async (max_tokens: number) => {
      const given = { package: name, ecosystem: 'npm', from: '1.0.0', to: '1.2.0', max_tokens };
      const outcome = await runTool({ api, log: world.ctx.log }, tool, given);
      assert.ok(outcome.kind === 'result', JSON.stringify(outcome));
      assert.ok(countTokens(outcome.text) <= max_tokens, 'text');
      assert.ok(countTokens(JSON.stringify(outcome.structured)) <= max_tokens, 'structured');
      return outcome.text;
    };
    const long = await call(20_000);
    assert.match(long, /show 60 proven and 0 likely changes that break/);
    assert.equal(long.match(/`aVeryLongNameOfSomeFunction\d+` is no longer exported/g)?.length, 40, 'once as a step');
    assert.match(long, /40 more changes of the package are not listed here/);
    for (const tokens of [4_000, 2_000, 1_200]) assert.match(await call(tokens), /60 proven/);
  });

  it('only notes that were read and judged are said to be silent about what a package proves', async () => {
    const fixed = '### Fixed\n- Crash on start of the second window';
    const link = 'https://example.com/changelog';
    const asked = async (contents: readonly (string | null)[], pairs: readonly [string, string][]) => {
      count += 1;
      const name = `silent-${count}`;
      const versions = contents.map((_, at) => `1.${at}.0`);
      const releases = contents.flatMap((content, at) => (content === null ? [] : [{ version: `1.${at}.0`, content }]));
      const { id: sourceId } = await world.fill(releases);
      await putPackage(world.ctx, { ecosystem: 'npm', name, sourceId });
      const listed = versions.map((version) => {
        const integrity = integrityOf(name, version);
        return { version, tarballUrl: `https://npm.example/${name}/-/${version}.tgz`, integrity };
      });
      await listPublished(world.ctx, name, listed);
      for (const pair of pairs) await compared(name, pair, [removed('open')]);
      const range = { from: '1.0.0', to: versions.at(-1) ?? '' };
      const { judgement, undocumented, entries } = await ask(name, range.from, range.to);
      const [batched] = (await whatsChangedBatch(world.ctx, { items: [{ package: name, ecosystem: 'npm', ...range }] }))
        .items;
      assert.equal(batched && 'undocumented' in batched && batched.undocumented, undocumented);
      assert.equal(judgement, 'breaks');
      const breaking = { package: name, ecosystem: 'npm', ...range, breaking_only: 'true' };
      assert.equal((await world.ask(breaking)).body.undocumented, undocumented, 'whatever is listed');
      return [undocumented, entries.length];
    };
    const first: [string, string] = ['1.0.0', '1.1.0'];
    const last: [string, string] = ['1.0.0', '1.2.0'];
    assert.deepEqual(await asked([fixed, fixed, fixed], [last]), [true, 2], 'all were read');
    assert.deepEqual(await asked([fixed, null], [first]), [false, 0], 'none is stored');
    assert.deepEqual(await asked([fixed, link], [first]), [false, 1], 'a link');
    assert.deepEqual(
      await asked([fixed, fixed, null], [last]),
      [false, 1],
      'one is missing, and where it lies is open',
    );
    assert.deepEqual(
      await asked([fixed, fixed, null], [last, first]),
      [true, 1],
      'it lies beside the one that was read',
    );
    assert.deepEqual(await asked([fixed, link, fixed], [last, first]), [false, 2], 'it lies beside a link');
    const breaking = '### Breaking\n- Removed `close()`.';
    assert.deepEqual(
      await asked([fixed, fixed, breaking, null], [first]),
      [false, 2],
      'another note speaks of a break',
    );
  });

  it('pairs that prove a break of which no note speaks are listed for those who write the rules of reading', async () => {
    const name = await published(['1.0.0', '1.1.0', '1.2.0']);
    await compared(name, ['1.0.0', '1.1.0'], [removed('a')]);
    await compared(name, ['1.1.0', '1.2.0']);
    const own = async () => (await silentNotes(world.ctx)).filter((one) => one.package === name);
    const [found, ...more] = await own();
    assert.deepEqual([found?.from, found?.to, found?.proven, more], ['1.0.0', '1.1.0', 1, []]);
    assert.deepEqual(
      found?.entries.map((entry) => entry.version),
      ['1.1.0'],
    );
    assert.match(silentNotesReport(found ? [found] : []), /`a` is no longer exported\n1 pairs prove a break/);
    const body = await ask(name, '1.0.0', '1.1.0');
    assert.deepEqual([body.worst, body.judgement], ['none', 'breaks'], 'the verdict stays what the notes say');
  });

  it('orders what is missing, and an answer that waits is not cached', async () => {
    const name = await published(['1.0.0', '1.1.0', '2.0.0']);
    const query = new URLSearchParams({ package: name, ecosystem: 'npm', from: '1.0.0', to: 'latest' });
    const first = await world.service.anonymous.get(`/v1/whats-changed?${query}`);
    assert.equal(first.body.evidence.status, 'pending');
    assert.equal(first.headers.get('cache-control'), 'no-store');
    assert.deepEqual(
      (await orders(name)).map((order) => [order.from_version, order.to_version, order.priority, order.anonymous]),
      [
        ['1.0.0', '2.0.0', 0, 1],
        ['1.1.0', '2.0.0', 1, 1],
      ],
    );
    await compared(name, ['1.0.0', '2.0.0']);
    const second = await world.service.anonymous.get(`/v1/whats-changed?${query}`);
    assert.equal(second.body.evidence.status, 'compared');
    assert.match(second.headers.get('cache-control') ?? '', /^public/);
  });

  it('orders nothing for crawlers and for packages that nobody follows', async () => {
    const known = await published(['1.0.0', '1.1.0']);
    const imported = await published(['1.0.0', '1.1.0'], { known: false });
    const crawler = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
    const path = `/v1/whats-changed?ecosystem=npm&package=${known}&from=1.0.0&to=1.1.0`;
    assert.equal((await world.service.anonymous.get(path, crawler)).body.evidence.status, 'not_ordered');
    assert.equal((await ask(imported, '1.0.0', '1.1.0')).evidence.status, 'not_ordered');
    assert.deepEqual([...(await orders(known)), ...(await orders(imported))], []);
    assert.equal((await world.service.anonymous.get(path)).body.evidence.status, 'pending', 'people are not held up');
  });

  it('the page of a package orders the last steps for who reads it, nothing for a crawler, and a badge nothing at all', async () => {
    const name = await published(['1.0.0', '1.1.0', '2.0.0']);
    const page = `/packages/npm/${name}`;
    const crawler = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
    assert.equal((await world.service.anonymous.get(page, { ...crawler, Accept: 'text/html' })).status, 200);
    for (const query of ['', '?from=1.0.0']) {
      assert.equal((await world.service.anonymous.get(`${page}/badge.svg${query}`)).status, 200);
    }
    assert.deepEqual(await orders(name), []);
    assert.equal((await world.service.anonymous.get(page, { Accept: 'text/html' })).status, 200);
    const wanted = (await orders(name)).map(({ from_version, to_version }) => `${from_version} ${to_version}`).sort();
    assert.deepEqual(wanted, ['1.1.0 2.0.0']);
  });

  it('says nothing of ranges without a step, and what is not listed is not available', async () => {
    const name = await published(['1.0.0', '1.1.0']);
    assert.equal((await ask(name, '1.1.0', '1.1.0')).evidence, undefined);
    assert.equal((await ask(name, '1.1.0', 'latest')).evidence, undefined);
    assert.equal((await ask(name, '0.9.0', '1.1.0')).evidence.status, 'not_available');
    const unlisted = await world.fill(['1.0.0', '1.1.0']);
    await putPackage(world.ctx, { ecosystem: 'npm', name: 'unlisted', sourceId: unlisted.id });
    assert.equal((await ask('unlisted', '1.0.0', '1.1.0')).evidence.status, 'not_available');
    assert.equal(
      (await world.ask({ package: unlisted.slug, from: '1.0.0', to: '1.1.0' })).body.evidence?.status,
      'not_available',
    );
    await putPackage(world.ctx, { ecosystem: 'pypi', name: 'snake', sourceId: unlisted.id });
    const snake = await world.ask({ package: 'snake', ecosystem: 'pypi', from: '1.0.0', to: '1.1.0' });
    assert.equal(snake.body.evidence.status, 'not_available');
  });

  it('a result counts while both packages are those that were compared, by the rules of today', async () => {
    const name = await published(['1.0.0', '1.1.0']);
    await compared(name, ['1.0.0', '1.1.0'], [removed('a')], { rules: RULES_VERSION - 1 });
    assert.equal((await ask(name, '1.0.0', '1.1.0')).evidence.status, 'pending');
    await compared(name, ['1.0.0', '1.1.0'], [removed('a')], { to_integrity: integrityOf(name, 'another') });
    assert.equal((await ask(name, '1.0.0', '1.1.0')).evidence.status, 'pending');
    await compared(name, ['1.0.0', '1.1.0'], [], { status: 'too_large', types: null });
    const body = await ask(name, '1.0.0', '1.1.0');
    assert.deepEqual([body.evidence.status, body.evidence.pairs], ['too_large', []]);
  });

  it('a batch reads the evidence of all items together', async () => {
    const names: string[] = [];
    for (let at = 0; at < 12; at += 1) {
      const name = await published(['1.0.0', '1.1.0']);
      await compared(name, ['1.0.0', '1.1.0'], [removed('a')]);
      names.push(name);
    }
    const items = names.map((name) => ({ package: name, ecosystem: 'npm' as const, from: '1.0.0', to: '1.1.0' }));
    const seen = await statements(world.ctx, (ctx) => whatsChangedBatch({ ...ctx, answer: plainAnswer() }, { items }));
    assert.equal(seen.filter(({ sql }) => sql.includes('evidence_')).length, 3);
    const { body } = await world.service.anonymous.post('/v1/whats-changed/batch', { items });
    const counts = body.items.map((item: { evidence: { counts: { proven: number } } }) => item.evidence.counts.proven);
    assert.deepEqual(
      counts,
      names.map(() => 1),
    );
  });

  it('one pair by itself: pending with a time to ask again, then all findings', async () => {
    const name = await published(['1.0.0', '1.1.0']);
    const path = `/v1/packages/npm/${name}/compare`;
    const first = await world.service.root.get(`${path}?from=1.0.0&to=latest`);
    assert.deepEqual([first.status, first.body.status, first.body.to], [200, 'pending', '1.1.0']);
    assert.equal(first.headers.get('retry-after'), '20');
    await compared(
      name,
      ['1.0.0', '1.1.0'],
      Array.from({ length: 30 }, (_, at) => removed(`a${at}`)),
      { more: 3 },
    );
    const { body, headers } = await world.service.anonymous.get(`${path}?from=v1.0.0&to=1.1.0`);
    assert.deepEqual(
      [body.status, body.from, body.to, body.types, body.more],
      ['compared', '1.0.0', '1.1.0', 'own', 3],
    );
    assert.deepEqual([body.findings.length, body.counts, body.comparedAt], [30, { proven: 30, likely: 0 }, AT]);
    assert.equal(headers.get('retry-after'), null);
    for (const query of ['from=1.1.0&to=1.0.0', 'from=1.0.0&to=1.0.0', 'from=now&to=1.1.0', 'from=1.0.0']) {
      assert.equal((await world.service.anonymous.get(`${path}?${query}`)).status, 400, query);
    }
    for (const other of ['npm/nobody', 'pypi/nobody', 'cargo/serde', `npm/${'x'.repeat(300)}`]) {
      const answer = await world.service.anonymous.get(`/v1/packages/${other}/compare?from=1.0.0&to=2.0.0`);
      assert.equal(answer.status, 404, other);
    }
  });

  it('nothing of a private registry is shown to strangers', async () => {
    const name = await published(['1.0.0', '1.1.0'], { name: '@acme/secret' });
    await compared(name, ['1.0.0', '1.1.0'], [removed('a')]);
    for (const path of ['/v1/packages/npm/@acme/secret', '/v1/packages/npm/%40acme%2Fsecret']) {
      assert.equal((await world.service.anonymous.get(`${path}/compare?from=1.0.0&to=1.1.0`)).status, 404);
      const own = await world.service.root.get(`${path}/compare?from=1.0.0&to=1.1.0`);
      assert.deepEqual([own.status, own.body.counts.proven], [200, 1]);
      assert.match(own.headers.get('cache-control') ?? '', /private/);
    }
    const question = `/v1/whats-changed?ecosystem=npm&package=${encodeURIComponent(name)}&from=1.0.0&to=1.1.0`;
    assert.equal((await world.service.anonymous.get(question)).body.evidence, undefined);
    assert.equal((await world.service.root.get(question)).body.evidence.counts.proven, 1);
  });
});
