// Whatever the outside sends: what is long is read on a thread.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sourceRow } from '../../../test/support/adapter-input.ts';
import { type OutsideWorld, startOutsideWorld } from '../../../test/support/outside-world.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { MAX_INLINE_CHARS, pooledTasks } from '../../threads/documents.ts';
import { readTree } from '../changelog-files/read-tree.ts';
import { fetchAppstore } from './appstore/fetch-appstore.ts';
import { pairEntries, readPairs } from './changelog/pair-tags.ts';
import type { AdapterContext, AdapterInput } from './contract.ts';
import { decodeDocument, documentText } from './document-text.ts';
import { probeFeed } from './feed/probe.ts';
import { createGithubApi } from './github/api.ts';
import { atomHash, fetchGithub } from './github/fetch-github.ts';
import type { GithubRun } from './github/run.ts';
import { readTagItems, tagAndEntryItems } from './github/tag-items.ts';
import { probeFile } from './scrape/probe-page.ts';
import { fetchVideo } from './video/adapter.ts';
import { askOembed, parseOembed } from './video/oembed.ts';

const JUNK = 'x'.repeat(MAX_INLINE_CHARS);
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

  it('the facts of one video', async () => {
    const facts = { title: 'A tour', duration: 61, thumbnail_url: 'https://i.example/a.png' };
    world.route('/api/oembed.json', JSON.stringify({ ...facts, junk: JUNK }));
    const read = await askOembed(ctx, 'vimeo', 'https://vimeo.com/1');
    assert.deepEqual([read, pooled()], [parseOembed(JSON.stringify(facts)), 1]);
  });

  it('the feed that tells whether the releases of a code host changed', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>${JUNK}</title><entry><id>1</id><title>v1</title></entry></feed>`;
    world.route('/acme/polled/releases.atom', atom);
    world.route('/repos/acme/polled', JSON.stringify({ id: 2, full_name: 'acme/polled' }));
    const contentHash = atomHash(atom);
    const validator = {
      endpoint: 'releases.atom',
      etag: null,
      lastModified: null,
      contentHash,
      tokenFingerprint: null,
    };
    const source = { type: 'github', url: 'https://github.com/acme/polled', github_coordinate: 'acme/polled' } as const;
    const requested = { ...input(source), firstFetch: false, validators: [validator] };
    const { outcome } = await fetchGithub(ctx, requested);
    assert.deepEqual([outcome, world.requested('/repos/acme/polled/releases').length, pooled()], ['no_change', 0, 1]);
  });

  it('tags with long entries of a changelog, and many tags', async () => {
    const run = { ctx, input: input({ type: 'github' }), coordinate: 'acme/app' } as unknown as GithubRun;
    const files = [{ path: 'CHANGELOG.md', url: '', rawUrl: '', content: `## 1.0.0\n\n- ${JUNK}\n` }];
    const options = { names: [], now: ctx.now, repository: 'app' };
    const pairing = { tags: ['v1.0.0', 'v1.1.0'], files: files as never, options };
    const paired = await readPairs(pairing);
    assert.deepEqual([paired, pooled()], [pairEntries(pairing), 1]);
    const tags = pairing.tags.map((name) => ({ name, commit: name }));
    const read = { tags, ...paired, dates: new Map<string, string>() };
    const items = await readTagItems(run, read);
    assert.equal(pooled(), 2);
    const pages = `${ctx.settings.githubWebUrl}/acme/app/releases/tag`;
    assert.deepEqual(items, await tagAndEntryItems({ ...read, pages, settings: run.input.source.settings }));
    assert.deepEqual(
      items.map(({ version, content }) => [version, content.length > MAX_INLINE_CHARS]),
      [
        ['v1.0.0', true],
        ['v1.1.0', false],
      ],
    );
    const many = { tags: Array.from({ length: MAX_INLINE_CHARS }, (_, at) => `v1.${at}.0`), files: [], options };
    assert.deepEqual(await readPairs(many), pairEntries(many));
    assert.equal(pooled(), 3);
  });

  it('the text of an answer in any encoding', async () => {
    const body = Buffer.from(`<html>é${'x'.repeat(128_000)}</html>`, 'latin1');
    const headers = { 'content-type': 'text/html; charset=iso-8859-1' };
    assert.equal(await documentText({ body, headers }), decodeDocument({ body, contentType: headers['content-type'] }));
    assert.equal(pooled(), 1);
  });

  it('feeds and files that are only tried', async () => {
    world.route('/feed', FEED);
    world.route('/CHANGELOG.md', `# Changelog\n\n## 1.0.0\n\n- ${JUNK}\n`);
    assert.equal((await probeFeed(ctx, `${world.url}/feed`)).verdict, 'proven');
    assert.equal((await probeFile(ctx, `${world.url}/CHANGELOG.md`)).verdict, 'proven');
    assert.equal(pooled(), 2);
  });
});
