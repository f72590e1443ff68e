import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { NOW, type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { toJson } from '../../../store/json-text.ts';
import type { AdapterInput } from '../contract.ts';
import { fetchGithub } from './fetch-github.ts';
import {
  changelogInput,
  commitHash,
  type FakeGithub,
  githubInput,
  githubSource,
  release,
  remembered,
  serveGithub,
  tag,
  withToken,
} from './github.fixture.ts';

const TAGS = '/repos/acme/engine/tags?per_page=100';
const RELEASES = '/repos/acme/engine/releases?per_page=100';
const LATER = new Date(NOW.getTime() + 25 * 3_600_000);

let world: OutsideWorld;
let github: FakeGithub;

function serveCommit(hash: string, date: string) {
  world.route(`/repos/acme/engine/commits/${hash}`, {
    body: JSON.stringify({ sha: hash, commit: { committer: { date }, author: { date: '2020-01-01T00:00:00Z' } } }),
  });
}

async function firstPoll(more: Partial<AdapterInput> = {}) {
  const first = githubInput({ firstFetch: true, ...more });
  const result = await fetchGithub(withToken(world), first);
  world.requests.length = 0;
  return { result, next: remembered(first, result) };
}

const CHANGELOG = [
  '# Changelog',
  '## [1.3.0] - 2024-05-20',
  '- Not tagged yet',
  '## [1.2.0] - 2024-04-02',
  '- Second',
  '## 0.9.0 [YANKED]',
  '- Bad',
].join('\n\n');

describe('github: a repository without Release objects', () => {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
    github = serveGithub(world, { tags: [tag('v1.2.0'), tag('v1.1.0')] });
    for (const { commit } of github.tags) serveCommit(commit.sha, '2024-03-01T08:00:00Z');
  });

  it('merges tags with changelog entries by version', async () => {
    const { result } = await firstPoll({ changelog: changelogInput('a', CHANGELOG) });

    assert.deepEqual(
      result.items.map(({ title, content, version, url, publishedAt, datePrecision, origin, suppressedReason }) => {
        return { title, content, version, url, publishedAt, datePrecision, origin, suppressedReason };
      }),
      [
        {
          title: '1.2.0',
          content: '- Second',
          version: 'v1.2.0',
          url: `${world.url}/acme/engine/releases/tag/v1.2.0`,
          publishedAt: '2024-04-02T00:00:00.000Z',
          datePrecision: 'day',
          origin: 'changelog',
          suppressedReason: undefined,
        },
        {
          title: 'v1.1.0',
          content: '',
          version: 'v1.1.0',
          url: `${world.url}/acme/engine/releases/tag/v1.1.0`,
          publishedAt: '2024-03-01T08:00:00.000Z',
          datePrecision: 'time',
          origin: 'tag',
          suppressedReason: undefined,
        },
        {
          title: '1.3.0',
          content: '- Not tagged yet',
          version: '1.3.0',
          url: 'https://github.com/acme/engine/blob/HEAD/CHANGELOG.md#130---2024-05-20',
          publishedAt: '2024-05-20T00:00:00.000Z',
          datePrecision: 'day',
          origin: 'changelog',
          suppressedReason: undefined,
        },
        {
          title: '0.9.0',
          content: '- Bad',
          version: '0.9.0',
          url: 'https://github.com/acme/engine/blob/HEAD/CHANGELOG.md#090-yanked',
          publishedAt: null,
          datePrecision: null,
          origin: 'changelog',
          suppressedReason: 'yanked',
        },
      ],
    );
  });

  it('then asks for the tags alone, once, conditionally', async () => {
    const { result, next } = await firstPoll();

    const second = await fetchGithub(withToken(world), next);

    assert.equal(result.outcome, 'success');
    assert.deepEqual([second.outcome, second.requests, second.validators], ['no_change', 1, []]);
    assert.deepEqual(github.paths(), [TAGS]);
    assert.match(String(world.requests[0]?.headers['if-none-match']), /^W\//);
  });

  it('asks for the tags alone without a token, too', async () => {
    const first = githubInput({ firstFetch: true });
    const next = remembered(first, await fetchGithub(withToken(world, null), first));
    world.requests.length = 0;

    const second = await fetchGithub(withToken(world, null), next);

    assert.deepEqual([second.outcome, github.paths()], ['no_change', [TAGS]]);
  });

  it('reads everything again when a tag has come', async () => {
    const { next } = await firstPoll();
    github.tags = [tag('v1.3.0'), ...github.tags];
    serveCommit(commitHash('v1.3.0'), '2024-05-30T08:00:00Z');

    const second = await fetchGithub(withToken(world), next);

    assert.deepEqual(github.paths(), [TAGS, RELEASES, `/repos/acme/engine/commits/${commitHash('v1.3.0')}`]);
    assert.equal(second.items.length, 3);
    assert.equal(second.items[0]?.publishedAt, '2024-05-30T08:00:00.000Z');
    assert.equal(second.items[1]?.publishedAt, '2024-03-01T08:00:00.000Z');
  });

  it('reads everything again when the changelog has changed', async () => {
    const { next } = await firstPoll({ changelog: changelogInput('a', CHANGELOG) });
    const changelog = changelogInput('b', `${CHANGELOG}\n\n## 0.8.0\n\n- Old`);

    const second = await fetchGithub(withToken(world), { ...next, changelog });
    const third = await fetchGithub(withToken(world), { ...remembered(next, second), changelog });

    assert.deepEqual([second.outcome, second.items.length], ['success', 5]);
    assert.deepEqual([third.outcome, third.items.length], ['no_change', 0]);
    assert.deepEqual(github.paths(), [TAGS, RELEASES, TAGS, TAGS]);
  });

  it('reads everything again after a day', async () => {
    const { next } = await firstPoll();
    const source = { ...next.source, stars_fetched_at: LATER.toISOString() };

    const second = await fetchGithub(withToken(world, 'test-token', LATER), { ...next, source });

    assert.deepEqual(github.paths(), [TAGS, RELEASES, TAGS]);
    assert.equal(second.items.length, 2);
  });

  it('reads every page of the tags, because they come in the order of their names', async () => {
    github.pageSize = 1;

    const { result } = await firstPoll();

    assert.deepEqual(
      result.items.map(({ version }) => version),
      ['v1.2.0', 'v1.1.0'],
    );
    assert.equal(result.complete, true);
  });

  it('dates at most 30 tags a run, the newest first, and none twice', async () => {
    github.tags = Array.from({ length: 40 }, (_, index) => tag(`v1.${index}.0`));
    for (const { commit } of github.tags) serveCommit(commit.sha, '2024-03-01T08:00:00Z');
    const requested = () => world.requests.filter(({ path }) => path.includes('/commits/')).map(({ path }) => path);

    const first = githubInput({ firstFetch: true });
    const result = await fetchGithub(withToken(world), first);
    const inFirst = requested();
    world.requests.length = 0;
    const next = remembered(first, result);
    const source = { ...next.source, stars_fetched_at: LATER.toISOString() };
    const second = await fetchGithub(withToken(world, 'test-token', LATER), { ...next, source });
    const inSecond = requested();

    assert.deepEqual([inFirst.length, inSecond.length], [30, 10]);
    assert.equal(inFirst[0], `/repos/acme/engine/commits/${commitHash('v1.39.0')}`);
    assert.equal(new Set([...inFirst, ...inSecond]).size, 40);
    assert.equal(result.items.filter(({ publishedAt }) => publishedAt === null).length, 10);
    assert.ok(second.items.every(({ publishedAt }) => publishedAt === '2024-03-01T08:00:00.000Z'));
  });

  it('leaves dates for later when the quota runs low', async () => {
    github.quota = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1717246800' };

    const { result } = await firstPoll();

    assert.deepEqual([result.outcome, result.requests, result.items.length], ['success', 2, 2]);
  });

  it('hands over to Release objects when they appear', async () => {
    const { next } = await firstPoll();
    github.tags = [tag('v1.3.0'), ...github.tags];
    github.releases = [release(3)];

    const taken = await fetchGithub(withToken(world), next);
    world.requests.length = 0;
    const after = await fetchGithub(withToken(world), remembered(next, taken));

    assert.deepEqual(
      taken.items.map(({ version, origin }) => [version, origin]),
      [['v1.3.0', 'release']],
    );
    assert.deepEqual([after.outcome, github.paths()], ['no_change', [RELEASES]]);
  });

  it('no_change: there is nothing at all, and never was', async () => {
    github.tags = [];

    const { result, next } = await firstPoll();
    const second = await fetchGithub(withToken(world), next);

    assert.deepEqual([result.outcome, second.outcome, second.requests], ['no_change', 'no_change', 1]);
  });

  it('empty: nothing is left of what was there, and the next poll looks again', async () => {
    github.tags = [];
    const known = { guids: new Set<string>(), urls: new Set<string>(), count: 3 };

    const result = await fetchGithub(withToken(world), githubInput({ known }));

    assert.deepEqual([result.outcome, result.validators], ['empty', []]);
  });

  it('takes back Release objects of which no tag is left, and is at peace afterwards', async () => {
    github.tags = [];
    const known = { guids: new Set(['1001', '1002']), urls: new Set<string>(), count: 2 };
    const input = githubInput({ known });

    const result = await fetchGithub(withToken(world), input);
    const next = {
      ...input,
      known: { ...known, withdrawn: new Set(result.withdrawn) },
      validators: result.validators,
      memory: result.memory,
    };
    const second = await fetchGithub(withToken(world), next);

    assert.deepEqual([result.outcome, result.withdrawn], ['no_change', ['1002', '1001']]);
    assert.deepEqual([second.outcome, second.requests], ['no_change', 1]);
  });

  it('does not take back a Release object whose tag is still there', async () => {
    const known = { guids: new Set(['1002']), urls: new Set<string>(), count: 1 };

    const result = await fetchGithub(withToken(world), githubInput({ known }));

    assert.deepEqual([result.outcome, result.withdrawn ?? []], ['success', []]);
    assert.equal(world.requested('/repos/acme/engine/releases/1002').length, 0);
  });

  it('applies tag patterns to tags, and to entries as their tags would be spelt', async () => {
    const source = githubSource({ settings: toJson({ tagAllow: ['^v1\\.[23]'] }) });

    const { result } = await firstPoll({ source, changelog: changelogInput('a', CHANGELOG) });

    assert.deepEqual(
      result.items.map(({ version }) => version),
      ['v1.2.0', '1.3.0'],
    );
  });

  it('commits nothing when a page of the tags fails', async () => {
    github.pageSize = 1;
    github.instead.set('/tags?per_page=100&page=2', { status: 429, headers: { 'retry-after': '60' } });

    const { result } = await firstPoll();

    assert.deepEqual([result.outcome, result.items, result.validators], ['throttled', [], []]);
  });
});
