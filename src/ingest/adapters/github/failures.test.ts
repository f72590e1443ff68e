import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Answer, type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { fetchGithub } from './fetch-github.ts';
import { type FakeGithub, githubInput, githubSource, release, serveGithub, withToken } from './github.fixture.ts';

let world: OutsideWorld;
let github: FakeGithub;

const RESET = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1717246800' };

const ANSWERS: { name: string; answer: Answer; outcome: string; retryAt?: string }[] = [
  { name: '403 with nothing left', answer: { status: 403, headers: RESET }, outcome: 'throttled', retryAt: '13:00' },
  { name: '429 with nothing left', answer: { status: 429, headers: RESET }, outcome: 'throttled', retryAt: '13:00' },
  {
    name: '429 with Retry-After',
    answer: { status: 429, headers: { 'retry-after': '600' } },
    outcome: 'throttled',
    retryAt: '12:10',
  },
  {
    name: '403 with Retry-After',
    answer: { status: 403, headers: { 'retry-after': '60' } },
    outcome: 'throttled',
    retryAt: '12:01',
  },
  {
    name: '403 with a message',
    answer: { status: 403, body: '{"message":"You have exceeded a secondary rate limit."}' },
    outcome: 'throttled',
  },
  { name: '503 with Retry-After', answer: { status: 503, headers: { 'retry-after': '60' } }, outcome: 'throttled' },
  { name: '403 without a mark', answer: { status: 403, body: '{"message":"Forbidden"}' }, outcome: 'blocked' },
  { name: '401', answer: { status: 401 }, outcome: 'blocked' },
  { name: '451', answer: { status: 451 }, outcome: 'blocked' },
  { name: '404', answer: { status: 404 }, outcome: 'gone' },
  { name: '410', answer: { status: 410 }, outcome: 'gone' },
  { name: '500', answer: { status: 500 }, outcome: 'unreachable' },
  { name: '502', answer: { status: 502 }, outcome: 'unreachable' },
  { name: 'a reset connection', answer: { reset: true }, outcome: 'unreachable' },
  { name: 'a cut-off body', answer: { body: JSON.stringify([release(1)]), cutAfter: 20 }, outcome: 'unreachable' },
  { name: '304 that was not asked for', answer: { status: 304 }, outcome: 'malformed' },
];

describe('github: what goes wrong has a name', () => {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
    github = serveGithub(world, { releases: [release(1)] });
  });

  for (const { name, answer, outcome, retryAt } of ANSWERS) {
    it(`${outcome}: ${name}`, async () => {
      github.instead.set('/releases', answer);

      const result = await fetchGithub(withToken(world), githubInput());

      assert.equal(result.outcome, outcome);
      assert.deepEqual([result.items, result.validators, result.requests], [[], [], 1]);
      if (retryAt) assert.equal(result.retryAt, `2024-06-01T${retryAt}:00.000Z`);
    });
  }

  it('unreachable: nobody listens', async () => {
    const context = withToken(world);
    const settings = { ...context.settings, githubApiUrl: 'http://127.0.0.1:1' };

    const result = await fetchGithub({ ...context, settings }, githubInput());

    assert.equal(result.outcome, 'unreachable');
  });

  it('error: the source names no repository', async () => {
    const source = githubSource({ github_coordinate: null, url: 'https://acme.example/changelog' });

    const result = await fetchGithub(withToken(world), githubInput({ source }));

    assert.deepEqual([result.outcome, result.requests], ['error', 0]);
  });

  it('tells the quota that the last answer named', async () => {
    github.quota = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '41', 'x-ratelimit-reset': '1717246800' };

    const { budget } = await fetchGithub(withToken(world), githubInput());

    assert.deepEqual(
      { ...budget, tokenFingerprint: budget?.tokenFingerprint?.length },
      { host: world.host, tokenFingerprint: 16, limit: 5000, remaining: 41, resetAt: '2024-06-01T13:00:00.000Z' },
    );
  });

  it('tells the quota of a refusal, too', async () => {
    github.instead.set('/releases', { status: 403, headers: RESET });

    const { budget } = await fetchGithub(withToken(world), githubInput());

    assert.deepEqual([budget?.remaining, budget?.resetAt], [0, '2024-06-01T13:00:00.000Z']);
  });
});
