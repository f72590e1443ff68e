import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Answer, type OutsideWorld, startOutsideWorld } from '../../../../test/support/outside-world.ts';
import type { FetchOutcome } from '../../../contract/enums.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import type { AdapterInput, Validator } from '../contract.ts';
import { fetchAppstore } from './fetch-appstore.ts';
import { identifyApp, lookupAddress, readAppAddress } from './identify.ts';

let world: OutsideWorld;

function withWorld(): void {
  before(async () => {
    world = await startOutsideWorld();
  });
  after(() => world.close());
  beforeEach(() => {
    world.requests.length = 0;
    show(PLANNER);
  });
}

const PLANNER = {
  kind: 'software',
  trackId: 4242,
  trackName: 'Acme Planner',
  version: '5.1',
  releaseNotes: '• Faster sync\n• Fewer crashes',
  trackViewUrl: 'https://apps.apple.com/us/app/acme-planner/id4242?uo=4',
  currentVersionReleaseDate: '2024-05-20T07:00:00Z',
  artworkUrl100: 'https://img.example/icon/100x100.jpg',
  artworkUrl512: 'https://img.example/icon/512x512.jpg',
  screenshotUrls: Array.from({ length: 6 }, (_, index) => `https://img.example/shots/phone-${index}.png`),
  ipadScreenshotUrls: Array.from({ length: 6 }, (_, index) => `https://img.example/shots/pad-${index}.png`),
};

function show(...results: object[]) {
  world.route('/lookup', { body: JSON.stringify({ resultCount: results.length, results }) });
}

function input(more: Partial<SourceRow> = {}, validators: Validator[] = []): AdapterInput {
  const source = {
    name: 'Planner',
    type: 'appstore',
    url: 'https://apps.apple.com/us/app/acme-planner/id4242',
    app_id: '4242',
    app_platform: 'ios',
    app_storefront: null,
    app_icon_url: null,
    last_outcome: null,
    ...more,
  } as SourceRow;
  const known = { guids: new Set<string>(), urls: new Set<string>(), count: 0 };
  return { source, names: [], validators, known, firstFetch: false, backfill: null };
}

describe('appstore', () => {
  withWorld();

  it('gives the current version as one item, and name and icon of the app', async () => {
    const result = await fetchAppstore(world.context(), input());

    assert.equal(result.outcome, 'success');
    assert.deepEqual(
      result.items.map(({ media, ...item }) => ({ ...item, media: media?.map(({ url }) => url.split('/').at(-1)) })),
      [
        {
          title: 'Acme Planner 5.1',
          content: '• Faster sync\n• Fewer crashes',
          version: '5.1',
          url: 'https://apps.apple.com/us/app/acme-planner/id4242?v=5.1',
          guid: 'ios:4242:5.1',
          publishedAt: '2024-05-20T07:00:00.000Z',
          datePrecision: 'time',
          dateFromUpdated: false,
          categories: [],
          links: [],
          origin: 'store',
          confidence: 1,
          media: [0, 1, 2, 3, 4, 5].map((index) => `phone-${index}.png`).concat(['pad-0.png', 'pad-1.png']),
        },
      ],
    );
    assert.deepEqual(result.sourceChanges, {
      name: 'Acme Planner',
      name_key: 'acme planner',
      app_icon_url: 'https://img.example/icon/512x512.jpg',
    });
    assert.equal(world.requests[0]?.path, '/lookup?id=4242&country=us');
  });

  it('asks for the Mac app of the right store front, and takes that one alone', async () => {
    show(PLANNER, { ...PLANNER, kind: 'mac-software', version: '5.0' });

    const mac = await fetchAppstore(world.context(), input({ app_platform: 'macos', app_storefront: 'de' }));
    show(PLANNER);
    const none = await fetchAppstore(world.context(), input({ app_platform: 'macos' }));

    assert.equal(world.requests[0]?.path, '/lookup?id=4242&country=de&entity=macSoftware');
    assert.equal(mac.items[0]?.version, '5.0');
    assert.equal(none.outcome, 'empty');
  });

  it('no_change: the same version with the same notes; other notes are an item again', async () => {
    const first = await fetchAppstore(world.context(), input());
    const same = await fetchAppstore(world.context(), input({}, first.validators));
    show({ ...PLANNER, releaseNotes: 'Rewritten' });
    const other = await fetchAppstore(world.context(), input({}, first.validators));

    assert.deepEqual([same.outcome, same.items], ['no_change', []]);
    assert.deepEqual(
      [other.outcome, other.items[0]?.guid, other.items[0]?.content],
      ['success', 'ios:4242:5.1', 'Rewritten'],
    );
  });

  it('empty, and the second time in a row gone: the store shows no such app', async () => {
    show();
    const outcomeAfter = async (last_outcome: FetchOutcome | null) => {
      return (await fetchAppstore(world.context(), input({ last_outcome }))).outcome;
    };

    assert.deepEqual(
      [
        await outcomeAfter(null),
        await outcomeAfter('success'),
        await outcomeAfter('empty'),
        await outcomeAfter('gone'),
      ],
      ['empty', 'empty', 'gone', 'gone'],
    );
  });

  const faults: [Answer, string][] = [
    [{ status: 403 }, 'blocked'],
    [{ status: 500 }, 'unreachable'],
    [{ status: 503, headers: { 'retry-after': '60' } }, 'throttled'],
    [{ status: 429 }, 'throttled'],
    [{ status: 404 }, 'gone'],
    [{ body: '<html>Sorry</html>' }, 'malformed'],
    [{ body: '{"results":"none"}' }, 'malformed'],
    [{ body: '{"results":[{"kind":"software","trackName":"No version"}]}' }, 'malformed'],
    [{ reset: true }, 'unreachable'],
  ];
  for (const [answer, outcome] of faults) {
    it(`${outcome}: ${JSON.stringify(answer)}`, async () => {
      world.route('/lookup', answer);

      const result = await fetchAppstore(world.context(), input());

      assert.deepEqual([result.outcome, result.items, result.validators], [outcome, [], []]);
    });
  }

  it('error: the source names no app', async () => {
    const result = await fetchAppstore(world.context(), input({ app_id: null, url: 'https://acme.example/app' }));

    assert.deepEqual([result.outcome, result.requests], ['error', 0]);
  });
});

describe('appstore addresses', () => {
  withWorld();

  const rows: [string, { id: string; storefront: string | null } | null][] = [
    ['4242', { id: '4242', storefront: null }],
    ['https://apps.apple.com/us/app/acme-planner/id4242', { id: '4242', storefront: 'us' }],
    ['https://apps.apple.com/DE/app/id4242?platform=iphone', { id: '4242', storefront: 'de' }],
    ['https://apps.apple.com/app/id4242', { id: '4242', storefront: null }],
    ['https://itunes.apple.com/gb/app/acme/id4242?mt=8', { id: '4242', storefront: 'gb' }],
    ['https://apps.apple.com/us/developer/acme/id4242x', null],
    ['https://apps.apple.com/us/app/acme-planner', null],
    ['https://apps.example/us/app/id4242', null],
  ];
  for (const [text, expected] of rows) it(text, () => assert.deepEqual(readAppAddress(text), expected));

  it('takes what is missing in the settings from the address', () => {
    const url = 'https://apps.apple.com/fr/app/acme/id4242';

    const identity = identifyApp({ app_id: null, app_platform: null, app_storefront: null, url });

    assert.deepEqual(identity, { id: '4242', platform: 'ios', storefront: 'fr' });
    assert.equal(
      lookupAddress('https://store.example/', identity ?? assert.fail()),
      'https://store.example/lookup?id=4242&country=fr',
    );
  });
});
