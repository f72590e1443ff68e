// What Renovate asks, as it writes it: `%2f` for a slash, `%3A` for a colon, any token or none.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { transact } from '../../src/context.ts';
import { RULES_VERSION } from '../../src/domain/evidence/finding.ts';
import { putPackage } from '../../src/entities/packages/put.ts';
import { storePair } from '../../src/packages/evidence/store-pair.ts';
import { toJson } from '../../src/store/json-text.ts';
import type { EvidencePairRow } from '../../src/store/schema/evidence.ts';
import { movableClock } from '../support/clock.ts';
import { forEachEngine } from '../support/engines.ts';
import { listPublished } from './published.ts';
import { openUpgradeWorld, type UpgradeWorld } from './upgrade-world.ts';

const AT = '2026-06-01T12:00:00.000Z';
const LONG_AGO = '2026-05-01T00:00:00.000Z';
const FIXED = '### Fixed\n- Crash on start of the second window';
const VERSIONS = ['1.0.0', '1.1.0', '1.2.0'];

forEachEngine('what Renovate asks', (engine) => {
  let world: UpgradeWorld;
  before(async () => {
    const env = { REGISTRY_PACKAGE_REGISTRIES: '@acme=https://npm.acme.example', REGISTRY_RATE_PUBLIC: '60' };
    const trusted = { REGISTRY_BASE_URL: 'https://registry.example', REGISTRY_TRUSTED_PROXIES: '127.0.0.1' };
    world = await openUpgradeWorld(engine, { clock: movableClock(AT), env: { ...env, ...trusted } });
  });

  const integrityOf = (name: string, version: string) =>
    `sha512-${Buffer.from(`${name} ${version}`).toString('base64')}`;

  async function published(name: string, more: Record<string, object> = {}): Promise<string> {
    const { id: sourceId } = await world.fill(VERSIONS.map((version) => ({ version, content: FIXED })));
    await putPackage(world.ctx, { ecosystem: 'npm', name, sourceId });
    const listed = VERSIONS.map((version) => ({
      version,
      publishedAt: LONG_AGO,
      tarballUrl: `https://npm.example/${name}/-/${version}.tgz`,
      integrity: integrityOf(name, version),
      ...more[version],
    }));
    await listPublished(world.ctx, name, listed, { registry: name.startsWith('@acme/') ? '@acme' : null });
    await transact(world.ctx, ({ tx }) =>
      tx.updateTable('package_states').set({ next_read_at: AT }).where('name', '=', name).execute(),
    );
    return name;
  }

  async function compared(name: string, [from, to]: [string, string], more: Partial<EvidencePairRow> = {}) {
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
      findings: toJson([]),
      further: null,
      more: 0,
      proven: 0,
      likely: 0,
      beside_names: toJson([]),
      reason: null,
      bytes: 0,
      compared_at: AT,
      ...more,
    };
    await transact(world.ctx, (ctx) => storePair(ctx, row));
  }

  let address = 0;
  // Each question comes from an address of its own, unless one is given.
  function ask(path: string, headers: Record<string, string> = {}) {
    address += 1;
    const from = { 'X-Forwarded-For': `198.51.100.${address % 250}` };
    return world.service.anonymous.get(`/bots/renovate/${path}`, { ...from, ...headers });
  }
  const confidence = async (path: string, headers?: Record<string, string>) => {
    const { status, body } = await ask(`api/mc/json/${path}`, headers);
    return [status, body.confidence];
  };
  const orders = async (name: string) =>
    (await world.ctx.store.read.selectFrom('evidence_orders').selectAll().where('name', '=', name).execute()).map(
      (row) => `${row.from_version} ${row.to_version}`,
    );

  it('is available to everybody', async () => {
    for (const headers of [{}, { Authorization: 'Bearer nonsense' }, { Authorization: 'Basic eDp5' }]) {
      assert.equal((await ask('api/mc/availability', headers as Record<string, string>)).status, 200);
    }
  });

  it('is answered high, low or neutral by what is stored', async () => {
    const quiet = await published('quiet');
    await compared(quiet, ['1.0.0', '1.2.0']);
    assert.deepEqual(await confidence('npm/quiet/1.0.0/1.2.0'), [200, 'high']);
    for (const [token, expected] of [
      ['any-text', 'high'],
      ['relk_wrong_wrong', 'neutral'],
      [`relu_${'x'.repeat(64)}`, 'neutral'],
      ['a.b.c', 'neutral'],
    ] as const) {
      const answer = await confidence('npm/quiet/1.0.0/1.2.0', { Authorization: `Bearer ${token}` });
      assert.deepEqual(answer, [200, expected], token);
    }

    const broken = await published('@scope/broken');
    await compared(broken, ['1.0.0', '1.2.0'], { proven: 1 });
    assert.deepEqual(await confidence('npm/@scope%2fbroken/1.0.0/1.2.0'), [200, 'low']);
    assert.deepEqual(await confidence('npm/@scope%2Fbroken/1.0.0/1.1.0'), [200, 'neutral'], 'not compared');

    const fresh = await published('fresh', { '1.2.0': { publishedAt: '2026-05-30T00:00:00.000Z' } });
    await compared(fresh, ['1.0.0', '1.2.0']);
    assert.deepEqual(await confidence('npm/fresh/1.0.0/1.2.0'), [200, 'neutral'], 'published two days ago');
    const advised = await published('advised', { '1.2.0': { deprecated: 'use another' } });
    await compared(advised, ['1.0.0', '1.2.0']);
    assert.deepEqual(await confidence('npm/advised/1.0.0/1.2.0'), [200, 'neutral'], 'deprecated');

    for (const path of [
      'npm/nobody-knows-it/1.0.0/2.0.0',
      'npm/quiet/1.2.0/1.0.0',
      'npm/quiet/not%20a%20version/1.2.0',
      'npm/quiet/1.0.0/9.9.9',
      'maven/org.example%3Alib/1.0.0/2.0.0',
      'pypi/nothing/1.0/2.0',
      `npm/${'x'.repeat(300)}/1.0.0/2.0.0`,
      'npm/%00/1.0.0/2.0.0',
      'npm/quiet/%27%3B--/1.2.0',
    ]) {
      assert.deepEqual(await confidence(path), [200, 'neutral'], path);
    }
  });

  it('says nothing of a private package, whoever asks', async () => {
    const name = await published('@acme/forms');
    await compared(name, ['1.0.0', '1.2.0'], { proven: 1 });
    const root = { Authorization: (await rootHeader()) ?? '' };
    assert.deepEqual(await confidence('npm/@acme%2fforms/1.0.0/1.2.0'), [200, 'neutral']);
    assert.deepEqual(await confidence('npm/@acme%2fforms/1.0.0/1.2.0', root), [200, 'neutral']);
    assert.equal((await ask('npm/@acme/forms')).status, 404);
    assert.equal((await ask('npm/@acme/forms', root)).status, 404);
    const proven = await world.ctx.store.read
      .selectFrom('package_versions as v')
      .innerJoin('releases as r', 'r.id', 'v.release_id')
      .select('r.id')
      .where('v.name', '=', name)
      .where('r.proven', '=', 1)
      .execute();
    assert.deepEqual(proven, []);
  });

  async function rootHeader(): Promise<string> {
    const created = await world.service.root.post('/v1/tokens', { name: `bot ${address}`, scopes: ['read'] });
    return `Bearer ${created.body.token}`;
  }

  it('orders the newest pair for a key, and nothing else', async () => {
    const name = await published('wanted');
    await confidence('npm/wanted/1.0.0/1.2.0');
    assert.deepEqual(await orders(name), []);
    await confidence('npm/wanted/1.0.0/1.2.0', { Authorization: 'Bearer relk_wrong_wrong' });
    assert.deepEqual(await orders(name), []);
    const key = { Authorization: await rootHeader() };
    assert.deepEqual(await confidence('npm/wanted/1.0.0/1.1.0', key), [200, 'neutral']);
    assert.deepEqual(await orders(name), []);
    await confidence('npm/wanted/1.0.0/1.2.0', key);
    await confidence('npm/wanted/1.0.0/1.2.0', key);
    assert.deepEqual(await orders(name), ['1.0.0 1.2.0']);
  });

  it('is never refused: beyond a limit it is neutral, and the operator sees it counted', async () => {
    await published('many');
    await compared('many', ['1.0.0', '1.2.0']);
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    const answers = [];
    for (let count = 0; count < 70; count += 1) answers.push(await confidence('npm/many/1.0.0/1.2.0', headers));
    assert.deepEqual([...new Set(answers.map(([status]) => status))], [200]);
    assert.deepEqual([answers[0]?.[1], answers.at(-1)?.[1]], ['high', 'neutral']);
    assert.equal((await ask('npm/many', headers)).status, 429);
    const metrics = await world.service.root.get('/metrics');
    assert.match(metrics.text, /registry_bot_faults_total\{reason="limit"\} [1-9]/);
    assert.match(metrics.text, /registry_bot_faults_total\{reason="key"\} [1-9]/);
  });

  it('lists versions for a custom datasource', async () => {
    const name = await published('@scope/listed', {
      '1.0.0': { withdrawn: true },
      '1.1.0': { deprecated: 'use 1.2' },
    });
    for (const path of ['npm/@scope/listed', 'npm/@scope%2flisted']) {
      const { status, body } = await ask(path);
      assert.equal(status, 200);
      assert.deepEqual(body.releases, [
        { version: '1.2.0', releaseTimestamp: '2025-01-03T00:00:00.000Z', isDeprecated: false, isStable: true },
        { version: '1.1.0', releaseTimestamp: '2025-01-02T00:00:00.000Z', isDeprecated: true, isStable: true },
      ]);
      assert.deepEqual(body.tags, { latest: '1.2.0' });
      assert.equal(body.changelogUrl, `https://registry.example/packages/npm/${name}`);
    }
    assert.equal((await ask('npm/unknown-package')).status, 404);
    assert.equal((await ask('maven/some')).status, 404);
  });

  it('marks the release whose own step proves a break', async () => {
    const name = await published('proving');
    await compared(name, ['1.0.0', '1.2.0'], { proven: 2 });
    await compared(name, ['1.1.0', '1.2.0'], { proven: 1 });
    await compared(name, ['1.0.0', '1.1.0'], { likely: 3 });
    const rows = await world.ctx.store.read
      .selectFrom('package_versions as v')
      .innerJoin('releases as r', 'r.id', 'v.release_id')
      .select(['v.version', 'r.proven'])
      .where('v.name', '=', name)
      .orderBy('v.version')
      .execute();
    assert.deepEqual(
      rows.map(({ version, proven }) => [version, proven]),
      [
        ['1.0.0', 0],
        ['1.1.0', 0],
        ['1.2.0', 1],
      ],
    );
  });
});
