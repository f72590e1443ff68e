// Whatever the outside sends: what is long is read on a thread.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sourceRow } from '../../../test/support/adapter-input.ts';
import { type OutsideWorld, startOutsideWorld } from '../../../test/support/outside-world.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { pooledTasks, SMALL } from '../../threads/documents.ts';
import { readTree } from '../changelog-files/read-tree.ts';
import { fetchAppstore } from './appstore/fetch-appstore.ts';
import type { AdapterContext, AdapterInput } from './contract.ts';
import { proveFeed } from './feed/prove.ts';
import { createGithubApi } from './github/api.ts';
import { fetchGithub } from './github/fetch-github.ts';
import { proveFile } from './scrape/prove-page.ts';
import { fetchVideo } from './video/adapter.ts';

const JUNK = 'x'.repeat(SMALL);
const FEED = `<rss version="2.0"><channel><title>Acme</title><!--${JUNK}--><item><title>1.0</title>
  <link>https://www.youtube.com/watch?v=a</link></item></channel></rss>`;

function input(source: Partial<SourceRow>): AdapterInput {
  const known = { guids: new Set<string>(), urls: new Set<string>(), count: 0 };
  return { source: sourceRow(source), names: [], validators: [], known, firstFetch: true, backfill: null };
}

describe('a large document of the outside', () => {
  let world: OutsideWorld;
  let ctx: AdapterContext;
  let tasks = 0;
  before(async () => {
    world = await startOutsideWorld();
    ctx = world.context();
  });
  beforeEach(() => {
    tasks = pooledTasks();
  });
  after(() => world.close());
  const pooled = () => pooledTasks() - tasks;

  it('app store', async () => {
    const app = { kind: 'software', trackName: 'Acme', version: '1.0', junk: JUNK };
    world.route('/lookup', JSON.stringify({ results: [app] }));
    const { items } = await fetchAppstore(ctx, input({ type: 'appstore', url: '', app_id: '1' }));
    assert.deepEqual([items[0]?.version, pooled()], ['1.0', 1]);
  });

  it('listing of videos', async () => {
    world.route('/feeds/videos.xml', FEED);
    const url = 'https://www.youtube.com/playlist?list=PL1';
    const { items } = await fetchVideo(ctx, input({ type: 'video', url }));
    assert.deepEqual([items.map(({ title }) => title), pooled()], [['1.0'], 1]);
  });

  it('releases of a code host', async () => {
    world.route('/repos/acme/app', JSON.stringify({ id: 1, full_name: 'acme/app' }));
    world.route('/repos/acme/app/releases', JSON.stringify([{ id: 1, tag_name: 'v1', body: '', junk: JUNK }]));
    const source = { type: 'github', url: 'https://github.com/acme/app', github_coordinate: 'acme/app' } as const;
    const { items } = await fetchGithub(ctx, input(source));
    assert.deepEqual([items.map(({ version }) => version), pooled()], [['v1'], 1]);
  });

  it('a listing that is longer than any page of the code host is none', async () => {
    world.route('/repos/acme/long', JSON.stringify({ id: 1, full_name: 'acme/long' }));
    world.route('/repos/acme/long/releases', `[${'[],'.repeat(5_000)}[]]`);
    const source = { type: 'github', url: 'https://github.com/acme/long', github_coordinate: 'acme/long' } as const;
    const { outcome, detail } = await fetchGithub(ctx, input(source));
    assert.deepEqual([outcome, detail], ['malformed', 'not a release listing']);
  });

  it('the tree of a repository, of which changelogs, manifests and what is asked about come back', async () => {
    const paths = ['src/index.ts', 'CHANGELOG.md', 'docs/news.html', 'node_modules/a/CHANGELOG.md', 'a/package.json'];
    const tree = paths.map((path) => ({ path, type: 'blob', mode: '100644', sha: 'a', size: 1, junk: JUNK }));
    world.route('/repos/acme/app/git/trees/HEAD', JSON.stringify({ tree, truncated: false }));
    const question = { repositoryPath: '/repos/acme/app', overrides: ['./docs/news.html'], paths: [] };
    const answer = await readTree(createGithubApi(ctx, []), question);
    assert.equal(answer.kind, 'read');
    const files = answer.kind === 'read' ? answer.files.map(({ path }) => path) : [];
    assert.deepEqual([files, pooled()], [['CHANGELOG.md', 'a/package.json', 'docs/news.html'], 1]);
  });

  it('feeds and files that are only tried', async () => {
    world.route('/feed', FEED);
    world.route('/CHANGELOG.md', `# Changelog\n\n## 1.0.0\n\n- ${JUNK}\n`);
    assert.equal((await proveFeed(ctx, `${world.url}/feed`)).verdict, 'proven');
    assert.equal((await proveFile(ctx, `${world.url}/CHANGELOG.md`)).verdict, 'proven');
    assert.equal(pooled(), 2);
  });
});
