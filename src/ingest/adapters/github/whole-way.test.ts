import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { movableClock } from '../../../../test/support/clock.ts';
import { forEachEngine } from '../../../../test/support/engines.ts';
import { createOrg, createSource } from '../../../../test/support/factories.ts';
import { type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { transact } from '../../../context.ts';
import { storeChangelogFile } from '../../../releases/changelog-files/store-file.ts';
import { fetchSource } from '../../pipeline/fetch-source.ts';
import { COORDINATE, type FakeGithub, release, serveGithub, tag } from './github.fixture.ts';

const HOUR = 3_600_000;

forEachEngine('github, from the host to the store', (engine) => {
  let world: OutsideWorld;
  let github: FakeGithub;

  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    github = serveGithub(world);
  });

  async function setUp() {
    const clock = movableClock('2024-06-01T12:00:00.000Z');
    const env = {
      REGISTRY_GITHUB_API_URL: world.url,
      REGISTRY_GITHUB_WEB_URL: 'https://github.com',
      REGISTRY_GITHUB_TOKEN: 'test-token',
      REGISTRY_EGRESS_ALLOW: '127.0.0.1',
    };
    const { ctx } = await engine.openTestApp({ clock, env });
    const org = await createOrg(ctx);
    const { id } = await createSource(ctx, { orgId: org.id, type: 'github', url: `https://github.com/${COORDINATE}` });
    const poll = async () => {
      clock.move(5 * HOUR);
      world.requests.length = 0;
      const { status } = await fetchSource(ctx, id, { trigger: 'schedule' });
      return [status, world.requests.length];
    };
    const rows = async () => {
      const found = await ctx.store.read
        .selectFrom('releases')
        .select(['id', 'version', 'content', 'url', 'origin', 'suppressed_reason'])
        .where('source_id', '=', id)
        .orderBy('version_sort', 'desc')
        .execute();
      return found.map((row) => ({ ...row }));
    };
    return { ctx, id, poll, rows };
  }

  it('a changelog entry, its tag and its Release object are one release', async () => {
    const { ctx, id, poll, rows } = await setUp();
    const url = `https://github.com/${COORDINATE}/blob/HEAD/CHANGELOG.md`;
    const content = '# Changelog\n\n## 1.3.0 - 2024-05-20\n\n- From the file\n';
    const file = { sourceId: id, path: 'CHANGELOG.md', url, rawUrl: url, content, canonical: true };
    await transact(ctx, (inner) => storeChangelogFile(inner, file));

    const first = await poll();
    const [entry] = await rows();
    const quiet = await poll();
    github.tags = [tag('v1.3.0')];
    await poll();
    const [tagged] = await rows();
    github.releases = [release(3, { body: 'From the release' })];
    github.tags = [tag('v1.3.0'), tag('v1.2.0')];
    await poll();
    const [released, ...others] = await rows();
    const steady = await poll();

    assert.deepEqual([first[0], quiet, steady], ['success', ['no_change', 1], ['no_change', 1]]);
    assert.deepEqual([entry?.version, entry?.url, entry?.origin], ['1.3.0', `${url}#130---2024-05-20`, 'changelog']);
    const page = `https://github.com/${COORDINATE}/releases/tag/v1.3.0`;
    assert.deepEqual(tagged, { ...entry, version: 'v1.3.0', url: page });
    assert.deepEqual(released, {
      ...tagged,
      content: 'From the release',
      url: 'https://github.com/Acme/Engine/releases/tag/v1.3.0',
      origin: 'release',
    });
    assert.deepEqual(others, []);
  });

  it('a release that is taken back disappears, and comes back with its next sight', async () => {
    github.releases = [release(2), release(1)];
    const { poll, rows } = await setUp();
    const reasons = async () => (await rows()).map(({ suppressed_reason }) => suppressed_reason);
    await poll();
    github.releases = [release(2)];
    await poll();
    const gone = await reasons();
    const requested = await poll();
    github.releases = [release(2), release(1)];
    await poll();

    assert.deepEqual(
      [gone, await reasons()],
      [
        [null, 'withdrawn'],
        [null, null],
      ],
    );
    assert.deepEqual(requested, ['no_change', 1]);
  });
});
