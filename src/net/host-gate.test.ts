import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { createFakeTimers, turn } from './fake-timers.fixture.ts';
import { createHostGate, type HostGateOptions } from './host-gate.ts';
import { openFetch, serve } from './loopback.fixture.ts';

function setUp(options: HostGateOptions = {}) {
  const timers = createFakeTimers();
  const gate = createHostGate({ timers, ...options });
  const starts: string[] = [];
  const leave: (() => void)[] = [];
  const come = async (name: string, host = 'acme.dev', signal?: AbortSignal) => {
    const end = await gate.enter(host, signal);
    starts.push(end === null ? `${name} gave up` : `${name} at ${timers.now()}`);
    if (end) leave.push(end);
  };
  const advance = async (ms: number) => {
    await turn();
    timers.advance(ms);
    await turn();
  };
  return { gate, timers, starts, leave, come, advance };
}

describe('the gate of a host', () => {
  it('keeps a second between starts and two at once', async () => {
    const { come, starts, leave, advance } = setUp();
    for (const name of ['a', 'b', 'c', 'd']) void come(name);
    await advance(999);
    assert.deepEqual(starts, ['a at 0']);
    await advance(1);
    await advance(5_000);
    assert.deepEqual(starts, ['a at 0', 'b at 1000']);
    leave[0]?.();
    await turn();
    assert.deepEqual(starts, ['a at 0', 'b at 1000', 'c at 6000']);
    leave[1]?.();
    await advance(999);
    assert.equal(starts.length, 3);
    await advance(1);
    assert.equal(starts[3], 'd at 7000');
  });

  it('counts an end once', async () => {
    const { come, starts, leave, advance } = setUp({ delayMs: () => 0 });
    for (const name of ['a', 'b', 'c', 'd']) void come(name);
    await advance(0);
    leave[0]?.();
    leave[0]?.();
    await advance(0);
    assert.deepEqual(starts, ['a at 0', 'b at 0', 'c at 0']);
  });

  it('keeps hosts apart', async () => {
    const { come, starts, advance } = setUp();
    void come('a', 'one.dev');
    void come('b', 'two.dev');
    await advance(0);
    assert.deepEqual(starts, ['a at 0', 'b at 0']);
  });

  it('takes a longer pause from the host, up to 30 seconds', async () => {
    const { gate, come, starts, advance } = setUp();
    gate.setDelay('acme.dev', 3_600_000);
    void come('a');
    void come('b');
    await advance(29_999);
    assert.equal(starts.length, 1);
    await advance(1);
    assert.equal(starts[1], 'b at 30000');
  });

  it('never takes a shorter one', async () => {
    const { gate, come, starts, advance } = setUp();
    gate.setDelay('acme.dev', 10);
    void come('a');
    void come('b');
    await advance(999);
    assert.equal(starts.length, 1);
  });

  it('lets a waiting request go', async () => {
    const { come, starts, advance } = setUp();
    const controller = new AbortController();
    void come('a');
    void come('b', 'acme.dev', controller.signal);
    void come('c');
    void come('d', 'acme.dev', AbortSignal.abort());
    controller.abort();
    await advance(1_000);
    assert.deepEqual(starts.sort(), ['a at 0', 'b gave up', 'c at 1000', 'd gave up']);
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  });

  it('remembers pauses of hosts in use when many hosts pass by', async () => {
    const { come, starts, advance } = setUp();
    void come('first');
    for (let index = 0; index < 3_000; index += 1) void come(`${index}`, `${index}.dev`);
    void come('second');
    await advance(999);
    assert.ok(!starts.some((start) => start.startsWith('second')));
    await advance(1);
    assert.ok(starts.includes('second at 1000'));
  });
});

describe('the gate in the guarded fetch', () => {
  it('redirects wait their turn, and the wait is not counted as time of the fetch', async (t) => {
    const timers = createFakeTimers();
    const gate = createHostGate({ timers, delayMs: () => 30_000 });
    const { origin } = await serve(t, (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
      else response.end('ok');
    });
    const fetched = openFetch({ timers, gate })({ url: origin });
    await timers.set(30_000);
    timers.advance(30_000);
    const result = await fetched;
    assert.ok(result.ok && result.requests === 2);
  });
});
