import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import type { SourceSettings } from '../../../contract/source-settings.ts';
import { toJson } from '../../../store/json-text.ts';
import { fetchGithub } from './fetch-github.ts';
import {
  changelogInput,
  type FakeGithub,
  githubInput,
  githubSource,
  release,
  remembered,
  serveGithub,
  withToken,
} from './github.fixture.ts';

let world: OutsideWorld;
let github: FakeGithub;

describe('github: polling the release listing', () => {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
    github = serveGithub(world, { releases: [release(3), release(2), release(1)] });
  });

  it('maps a release, with its tag as it is written', async () => {
    github.releases = [
      release(2, { tag_name: '@acme/core@2.0.0-rc.1', name: '', prerelease: true, body: 'First\r\nSecond' }),
      release(1, { published_at: null }),
      release(9, { draft: true }),
    ];

    const { outcome, items, complete } = await fetchGithub(withToken(world), githubInput({ firstFetch: true }));

    assert.equal(outcome, 'success');
    assert.equal(complete, true);
    assert.deepEqual(items, [
      {
        title: '@acme/core@2.0.0-rc.1',
        content: 'First\nSecond',
        version: '@acme/core@2.0.0-rc.1',
        url: 'https://github.com/Acme/Engine/releases/tag/v1.2.0',
        guid: '1002',
        publishedAt: '2024-05-01T10:00:00.000Z',
        datePrecision: 'time',
        dateFromUpdated: false,
        prereleaseHint: true,
        media: [],
        categories: [],
        links: [],
        origin: 'release',
        confidence: 1,
      },
      {
        title: 'Engine v1.1.0',
        content: '- Change number 1',
        version: 'v1.1.0',
        url: 'https://github.com/Acme/Engine/releases/tag/v1.1.0',
        guid: '1001',
        publishedAt: '2024-04-30T10:00:00.000Z',
        datePrecision: 'time',
        dateFromUpdated: false,
        prereleaseHint: false,
        media: [],
        categories: [],
        links: [],
        origin: 'release',
        confidence: 1,
      },
    ]);
  });

  it('asks once, conditionally, when nothing has changed', async () => {
    const first = githubInput({ firstFetch: true });
    const next = remembered(first, await fetchGithub(withToken(world), first));
    world.requests.length = 0;

    const result = await fetchGithub(withToken(world), next);

    assert.deepEqual([result.outcome, result.requests, result.items, result.validators], ['no_change', 1, [], []]);
    assert.deepEqual(github.paths(), ['/repos/acme/engine/releases?per_page=100']);
    const sent = world.requests[0]?.headers;
    assert.equal(sent?.authorization, 'Bearer test-token');
    assert.match(String(sent?.['if-none-match']), /^W\//);
  });

  it('does not send an ETag that was received under another token', async () => {
    const first = githubInput({ firstFetch: true });
    const next = remembered(first, await fetchGithub(withToken(world), first));
    world.requests.length = 0;

    const result = await fetchGithub(withToken(world, 'another-token'), next);

    assert.equal(world.requests[0]?.headers['if-none-match'], undefined);
    assert.equal(result.outcome, 'success');
  });

  it('reads pages until one holds no unknown release', async () => {
    github.pageSize = 2;
    github.releases = [release(6), release(5), release(4), release(3), release(2), release(1)];
    const known = { guids: new Set(['1004', '1003', '1002', '1001']), urls: new Set<string>(), count: 4 };

    const result = await fetchGithub(withToken(world), githubInput({ known }));

    assert.equal(result.requests, 2);
    assert.equal(result.complete, false);
    assert.equal(result.backfill, null);
    assert.deepEqual(
      result.items.map(({ guid }) => guid),
      ['1006', '1005', '1004', '1003'],
    );
  });

  it('reads at most ten pages and leaves the rest of a first fetch to backfill', async () => {
    github.pageSize = 1;
    github.releases = Array.from({ length: 25 }, (_, index) => release(25 - index));
    const input = githubInput({ firstFetch: true });

    const first = await fetchGithub(withToken(world), input);
    const second = await fetchGithub(withToken(world), githubInput({ backfill: first.backfill }));
    const third = await fetchGithub(withToken(world), githubInput({ backfill: second.backfill }));

    assert.equal(first.backfill, `${world.url}/repos/acme/engine/releases?per_page=100&page=11`);
    assert.deepEqual(
      [first, second, third].map(({ items, requests, complete }) => [items.length, requests, complete]),
      [
        [10, 10, false],
        [10, 10, false],
        [5, 5, false],
      ],
    );
    assert.equal(third.backfill, null);
    assert.deepEqual(second.validators, []);
  });

  it('sends no token to a page address of another host', async () => {
    const result = await fetchGithub(
      withToken(world),
      githubInput({ backfill: 'https://elsewhere.example/repos/acme/engine/releases?page=2' }),
    );

    assert.deepEqual([result.outcome, result.requests], ['error', 0]);
  });

  it('stores complete pages and leaves the old validators when a later page fails', async () => {
    github.pageSize = 2;
    github.instead.set('/releases?per_page=100&page=2', { status: 500 });

    const result = await fetchGithub(withToken(world), githubInput({ firstFetch: true }));

    assert.deepEqual([result.outcome, result.httpStatus], ['unreachable', 500]);
    assert.equal(result.items.length, 2);
    assert.deepEqual(result.validators, []);
    assert.equal(result.complete, false);
  });

  it('lets tagAllow decide alone, else tagDeny', async () => {
    github.releases = [release(2, { tag_name: 'cli-v2.0.0' }), release(1, { tag_name: 'core-v1.0.0' })];
    const tagsOf = async (settings: SourceSettings) => {
      const source = githubSource({ settings: toJson(settings) });
      const { items } = await fetchGithub(withToken(world), githubInput({ source, firstFetch: true }));
      return items.map(({ version }) => version);
    };

    assert.deepEqual(await tagsOf({ tagAllow: ['^core-'], tagDeny: ['^core-'] }), ['core-v1.0.0']);
    assert.deepEqual(await tagsOf({ tagDeny: ['^core-'] }), ['cli-v2.0.0']);
  });

  it('fills a body that only points at the changelog', async () => {
    github.releases = [release(3, { body: '' }), release(2, { body: 'See [CHANGELOG](./CHANGELOG.md) for details.' })];
    const changelog = changelogInput('a', '# Changelog\n\n## 1.3.0\n\n- Third\n\n## 1.2.0\n\n- Second\n');

    const { items } = await fetchGithub(withToken(world), githubInput({ changelog, firstFetch: true }));

    assert.deepEqual(
      items.map(({ content }) => content),
      ['- Third', '- Second'],
    );
  });

  it('reads no changelog when every body speaks for itself', async () => {
    const changelog = {
      fingerprint: 'a',
      read: async () => assert.fail('the changelog was read'),
    };

    const { outcome } = await fetchGithub(withToken(world), githubInput({ changelog }));

    assert.equal(outcome, 'success');
  });

  it('stores nothing as seen when a call asked for a few releases only', async () => {
    github.pageSize = 2;

    const result = await fetchGithub(withToken(world), githubInput({ firstFetch: true, max: 1 }));

    assert.deepEqual([result.items.length, result.requests], [1, 1]);
    assert.deepEqual([result.validators, result.complete, result.backfill], [[], false, null]);
  });

  it('is malformed when the answer is no listing', async () => {
    for (const body of ['{"message":"hello"}', '[{"id":']) {
      github.instead.set('/releases', { body, headers: { 'content-type': 'application/json' } });

      const result = await fetchGithub(withToken(world), githubInput());

      assert.deepEqual([result.outcome, result.items], ['malformed', []], body);
    }
  });

  it('passes over an entry that is no release, and says so', async () => {
    github.releases = [release(1), { id: 5 } as never];

    const result = await fetchGithub(withToken(world), githubInput());

    assert.deepEqual([result.items.length, result.notes], [1, ['1 entries of the listing are no release']]);
  });
});
