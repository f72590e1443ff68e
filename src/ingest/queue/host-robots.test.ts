import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import { forEachEngine } from '../../../test/support/engines.ts';
import { createHostRobots } from './host-robots.ts';

forEachEngine('robots files of hosts', (engine) => {
  it('are remembered for all processes, by origin, beside the place in the queue', async () => {
    const database = await engine.openTestDatabase();
    const [one, other] = [await engine.openTestApp({ database }), await engine.openTestApp({ database })];
    const delays: [string, number][] = [];
    const gate = { setDelay: (host: string, ms: number) => void delays.push([host, ms]) };
    const here = createHostRobots({ ...one.ctx, gate });
    const there = createHostRobots({ ...other.ctx, gate });

    await here.memory.set('https://acme.dev', { text: 'User-agent: *\u0000', until: 1_900_000_000_000 });
    assert.deepEqual(await there.memory.get('https://acme.dev'), { text: 'User-agent: *', until: 1_900_000_000_000 });
    assert.equal(await there.memory.get('http://acme.dev'), undefined);
    await there.memory.set('https://acme.dev', { text: null, until: 5 });
    assert.deepEqual(await here.memory.get('https://acme.dev'), { text: null, until: 5 });

    here.gate.setDelay('acme.dev', 7000);
    const kept = async () =>
      (await other.ctx.store.read.selectFrom('hosts').select('crawl_delay_ms').executeTakeFirst())?.crawl_delay_ms;
    while ((await kept()) !== 7000) await breathe();
    assert.deepEqual(delays, [['acme.dev', 7000]]);
  });
});
