import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import { fetchGithub } from './fetch-github.ts';
import { type FakeGithub, githubInput, release, remembered, serveGithub, withToken } from './github.fixture.ts';

let world: OutsideWorld;
let github: FakeGithub;

async function firstPoll() {
  const first = githubInput({ firstFetch: true });
  const next = remembered(first, await fetchGithub(withToken(world), first));
  world.requests.length = 0;
  return next;
}

describe('github: releases that are taken back', () => {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
    github = serveGithub(world, { releases: [release(3), release(2), release(1)] });
  });

  it('asks for a release that a complete listing lacks, and reports the one that is gone', async () => {
    const next = await firstPoll();
    github.releases = [release(3), release(1)];

    const result = await fetchGithub(withToken(world), next);

    assert.deepEqual(result.withdrawn, ['1002']);
    assert.equal(world.requested('/repos/acme/engine/releases/1002').length, 1);
  });

  it('keeps a release that is only missing from the listing', async () => {
    const next = await firstPoll();
    github.releases = [release(3), release(1)];
    world.route('/repos/acme/engine/releases/1002', { body: JSON.stringify(release(2)) });

    const result = await fetchGithub(withToken(world), next);

    assert.deepEqual(result.withdrawn, []);
    world.route('/repos/acme/engine/releases/1002', { status: 404 });
  });

  it('asks no second time for one that is known to be gone, and reports it when it is back', async () => {
    const next = await firstPoll();
    github.releases = [release(3), release(1)];
    const afterwards = remembered(next, await fetchGithub(withToken(world), next));
    world.requests.length = 0;
    github.releases = [release(4), release(3), release(1)];

    const gone = await fetchGithub(withToken(world), afterwards);
    github.releases = [release(4), release(3), release(2), release(1)];
    const back = await fetchGithub(withToken(world), remembered(afterwards, gone));

    assert.deepEqual([gone.withdrawn, gone.restored], [[], []]);
    assert.deepEqual([back.withdrawn, back.restored], [[], ['1002']]);
    assert.equal(world.requested('/repos/acme/engine/releases/1002').length, 0);
  });

  it('takes back what was turned into a draft again', async () => {
    const next = await firstPoll();
    github.releases = [release(3), release(2, { draft: true }), release(1)];
    world.route('/repos/acme/engine/releases/1002', { body: JSON.stringify(release(2, { draft: true })) });

    const result = await fetchGithub(withToken(world), next);

    assert.deepEqual(result.withdrawn, ['1002']);
    world.route('/repos/acme/engine/releases/1002', { status: 404 });
  });

  it('asks for nothing when the listing was not read to its end', async () => {
    github.pageSize = 1;
    const known = { guids: new Set(['1003', '1002', '1001', '999']), urls: new Set<string>(), count: 4 };

    const result = await fetchGithub(withToken(world), githubInput({ known }));

    assert.deepEqual([result.requests, result.withdrawn], [1, []]);
  });

  it('has the listing read again when an answer about one release fails', async () => {
    const next = await firstPoll();
    github.releases = [release(3), release(1)];
    world.route('/repos/acme/engine/releases/1002', { status: 502 });

    const result = await fetchGithub(withToken(world), next);

    assert.deepEqual([result.outcome, result.items.length, result.validators], ['unreachable', 2, []]);
    world.route('/repos/acme/engine/releases/1002', { status: 404 });
  });
});
