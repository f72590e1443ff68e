import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Outage, watchWrites } from './outage.ts';

class Failure extends Error {
  readonly outage: Outage;

  constructor(outage: Outage) {
    super(outage);
    this.outage = outage;
  }
}

function setUp() {
  const world = { suspicious: false, outage: null as Outage | null, probes: 0 };
  const health = watchWrites({
    outageOf: (error) => (error instanceof Failure ? error.outage : null),
    suspicious: async () => world.suspicious,
    async probe() {
      world.probes += 1;
      if (world.outage) throw new Failure(world.outage);
    },
  });
  return { world, health };
}

describe('write health', () => {
  it('does not write while nothing speaks against writing', async () => {
    const { world, health } = setUp();

    assert.equal(await health.check(), null);
    assert.equal(world.probes, 0);
  });

  it('reports a failed write until a probe succeeds', async () => {
    const { world, health } = setUp();
    world.outage = 'disk_full';
    health.failed(new Error('insert failed', { cause: new Failure('disk_full') }));

    const during = [await health.check(), await health.check()];
    world.outage = null;
    const after = [await health.check(), await health.check()];

    assert.deepEqual(during, ['disk_full', 'disk_full']);
    assert.deepEqual(after, [null, null]);
    assert.equal(world.probes, 3);
  });

  it('probes on a mere suspicion', async () => {
    const { world, health } = setUp();
    world.suspicious = true;
    const harmless = await health.check();
    world.outage = 'read_only';

    assert.deepEqual([harmless, await health.check()], [null, 'read_only']);
  });

  it('keeps its finding when the probe fails for another reason', async () => {
    const { world, health } = setUp();
    health.failed(new Failure('read_only'));
    world.outage = 'busy';

    assert.equal(await health.check(), 'read_only');
  });

  it('takes no other failure for a lack of space or permission', async () => {
    const { world, health } = setUp();
    for (const error of [new Failure('busy'), new Failure('database'), new Error('a bug'), null]) health.failed(error);

    assert.equal(await health.check(), null);
    assert.equal(world.probes, 0);
  });

  it('shares one probe among callers that ask together', async () => {
    const { world, health } = setUp();
    health.failed(new Failure('disk_full'));

    await Promise.all([health.check(), health.check(), health.check()]);

    assert.equal(world.probes, 1);
  });
});
