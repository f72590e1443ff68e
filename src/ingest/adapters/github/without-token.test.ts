import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { conditional, type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { fetchGithub } from './fetch-github.ts';
import { type FakeGithub, githubInput, release, remembered, serveGithub, withToken } from './github.fixture.ts';

const ATOM = '/acme/engine/releases.atom';

let world: OutsideWorld;
let github: FakeGithub;

function serveAtom(versions: readonly string[], etag: string, thumbnail = 'a') {
  const entries = versions.map(
    (version) =>
      `<entry><id>tag:${version}</id><title>${version}</title><media:thumbnail url="https://x/${thumbnail}"/></entry>`,
  );
  const body = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`;
  world.route(ATOM, conditional({ headers: { etag: `"${etag}"` }, body }));
}

async function firstPoll() {
  const first = githubInput({ firstFetch: true });
  const result = await fetchGithub(withToken(world, null), first);
  world.requests.length = 0;
  return { result, next: remembered(first, result) };
}

describe('github: without a token', () => {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
    github = serveGithub(world, { releases: [release(1)] });
    serveAtom(['v1.1.0'], 'one');
  });

  it('asks the public feed first and the API when it has changed', async () => {
    const { result, next } = await firstPoll();
    serveAtom(['v1.2.0', 'v1.1.0'], 'two');
    github.releases = [release(2), release(1)];

    const second = await fetchGithub(withToken(world, null), next);

    assert.deepEqual([result.outcome, result.items.length, result.requests], ['success', 1, 2]);
    assert.deepEqual([second.outcome, second.items.length], ['success', 2]);
    assert.deepEqual(github.paths(), [ATOM, '/repos/acme/engine/releases?per_page=100']);
    assert.equal(world.requests[0]?.headers['if-none-match'], '"one"');
    assert.ok(world.requests.every(({ headers }) => headers.authorization === undefined));
  });

  it('makes one request when the feed is unchanged', async () => {
    const { next } = await firstPoll();

    const result = await fetchGithub(withToken(world, null), next);

    assert.deepEqual([result.outcome, result.requests, result.httpStatus], ['no_change', 1, 304]);
    assert.deepEqual(github.paths(), [ATOM]);
  });

  it('does not count another avatar as a change, and keeps the new ETag', async () => {
    const { next } = await firstPoll();
    serveAtom(['v1.1.0'], 'two', 'b');

    const result = await fetchGithub(withToken(world, null), next);

    assert.deepEqual([result.outcome, result.requests], ['no_change', 1]);
    assert.deepEqual(
      result.validators.map(({ endpoint, etag }) => [endpoint, etag]),
      [['releases.atom', '"two"']],
    );
  });

  it('asks the API when the feed says nothing', async () => {
    const { next } = await firstPoll();
    world.route(ATOM, { status: 500 });

    const result = await fetchGithub(withToken(world, null), next);

    assert.deepEqual([result.outcome, result.requests], ['no_change', 2]);
    assert.deepEqual(result.notes, ['feed of releases not read: unreachable']);
  });

  it('stores no validator of the feed when the API fails after it', async () => {
    const { next } = await firstPoll();
    serveAtom(['v1.2.0', 'v1.1.0'], 'two');
    github.instead.set('/releases', { status: 500 });

    const result = await fetchGithub(withToken(world, null), next);

    assert.deepEqual([result.outcome, result.validators], ['unreachable', []]);
  });
});
