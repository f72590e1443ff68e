import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import type { FetchPriority } from '../../../contract/enums.ts';
import { toJson } from '../../../store/json-text.ts';
import { fetchGithub } from './fetch-github.ts';
import {
  type FakeGithub,
  githubInput,
  githubSource,
  release,
  remembered,
  serveGithub,
  withToken,
} from './github.fixture.ts';

const REPOSITORY = '/repos/acme/engine';

let world: OutsideWorld;
let github: FakeGithub;

const DUE = { stars_fetched_at: '2024-05-31T12:00:00.000Z' };

function renameTo(fullName: string) {
  const there = { ...github.repository, full_name: fullName };
  world.route(REPOSITORY, { status: 301, headers: { location: '/repositories/77' } });
  world.route(`${REPOSITORY}/releases`, { status: 301, headers: { location: '/repositories/77/releases' } });
  world.route('/repositories/77', { body: JSON.stringify(there) });
  world.route('/repositories/77/releases', { body: JSON.stringify([release(1)]) });
  const [owner, name] = fullName.toLowerCase().split('/');
  world.route(`/repos/${owner}/${name}/releases`, { body: JSON.stringify([release(1)]) });
}

describe('github: the repository itself', () => {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
    github = serveGithub(world, { releases: [release(1)] });
  });

  it('is read once a day, conditionally', async () => {
    const input = githubInput({ source: githubSource({ ...DUE, stars: null, github_id: null }) });

    const first = await fetchGithub(withToken(world), input);
    const next = remembered(input, first);
    const soon = await fetchGithub(withToken(world), next);
    world.requests.length = 0;
    const later = await fetchGithub(withToken(world), { ...next, source: { ...next.source, ...DUE } });

    assert.deepEqual(first.sourceChanges, {
      stars: 12,
      stars_fetched_at: '2024-06-01T12:00:00.000Z',
      github_id: 77,
      is_fork: 0,
      archived: 0,
    });
    assert.equal(first.repository?.fullName, 'Acme/Engine');
    assert.deepEqual([soon.requests, soon.sourceChanges], [1, {}]);
    assert.deepEqual(github.paths(), [REPOSITORY, `${REPOSITORY}/releases?per_page=100`]);
    assert.ok(world.requests.every(({ headers }) => headers['if-none-match'] !== undefined));
    assert.deepEqual([later.outcome, later.requests], ['no_change', 2]);
    assert.deepEqual(later.sourceChanges, { stars_fetched_at: '2024-06-01T12:00:00.000Z' });
  });

  it('moves an archived repository to low, and leaves a paused one alone', async () => {
    github.repository.archived = true;
    const priorityOf = async (fetch_priority: FetchPriority) => {
      const source = githubSource({ ...DUE, fetch_priority });
      const { sourceChanges } = await fetchGithub(withToken(world), githubInput({ source }));
      return [sourceChanges.fetch_priority, sourceChanges.archived];
    };

    assert.deepEqual(await Promise.all((['normal', 'low', 'paused'] as const).map(priorityOf)), [
      ['low', 1],
      [undefined, 1],
      [undefined, 1],
    ]);
  });

  it('gone: the repository is no more', async () => {
    github.instead.set('', { status: 404 });

    const result = await fetchGithub(withToken(world), githubInput({ source: githubSource(DUE) }));

    assert.deepEqual([result.outcome, result.requests], ['gone', 1]);
  });

  it('reads the releases although the repository answers with a fault', async () => {
    github.instead.set('', { status: 500 });

    const result = await fetchGithub(withToken(world), githubInput({ source: githubSource(DUE) }));

    assert.deepEqual([result.outcome, result.items.length, result.sourceChanges], ['success', 1, {}]);
    assert.deepEqual(result.notes, ['repository not read: unreachable']);
  });

  it('follows a rename and keeps the old name', async () => {
    renameTo('NewCo/Motor');
    const source = githubSource({ ...DUE, former_coordinates: toJson(['older/engine']) });

    const result = await fetchGithub(withToken(world), githubInput({ source }));

    assert.equal(result.outcome, 'success');
    assert.equal(result.sourceChanges.github_coordinate, 'newco/motor');
    assert.equal(result.sourceChanges.former_coordinates, '["older/engine","acme/engine"]');
    assert.equal(result.sourceChanges.url, 'https://github.com/NewCo/Motor');
    assert.equal(world.requested('/repos/newco/motor/releases').length, 1);
  });

  it('notices a rename by the redirect of the listing, before the day is over', async () => {
    renameTo('NewCo/Motor');

    const result = await fetchGithub(withToken(world), githubInput());

    assert.equal(result.sourceChanges.github_coordinate, 'newco/motor');
    assert.equal(result.items.length, 1);
  });

  it('keeps a page that a person has set as the address of the source', async () => {
    renameTo('NewCo/Motor');
    const source = githubSource({ ...DUE, url: 'https://acme.example/changelog' });

    const { sourceChanges } = await fetchGithub(withToken(world), githubInput({ source }));

    assert.equal(sourceChanges.url, undefined);
  });

  it('stays with its repository when another one has taken the name', async () => {
    github.repository = { ...github.repository, id: 999, full_name: 'Acme/Engine' };
    world.route('/repositories/77', { body: JSON.stringify({ id: 77, full_name: 'NewCo/Motor' }) });
    world.route('/repos/newco/motor/releases', { body: JSON.stringify([release(5)]) });

    const result = await fetchGithub(withToken(world), githubInput({ source: githubSource(DUE) }));

    assert.deepEqual(
      [result.sourceChanges.github_coordinate, result.sourceChanges.github_id, result.items[0]?.guid],
      ['newco/motor', 77, '1005'],
    );
  });
});
