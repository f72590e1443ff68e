import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiFailure } from './api-failure.ts';
import { createFrameParser, type Frame, followStream } from './follow-releases.ts';

const STREAM =
  'retry: 3000\n\nevent: ready\ndata: {"seq":7}\n\n: keep-alive\n\nevent: release.created\r\nid: evt_1\r\ndata: a\r\ndata: b\r\n\r\n';
const FRAMES: Frame[] = [
  { event: 'message', data: '', retryMs: 3000 },
  { event: 'ready', data: '{"seq":7}' },
  { event: 'release.created', data: 'a\nb', id: 'evt_1' },
];

describe('server-sent events', () => {
  it('are read wherever the pieces are cut', () => {
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      // A carriage return at the end of a chunk waits for its line feed.
      const parse = createFrameParser();
      const frames = [...parse(STREAM.slice(0, cut)), ...parse(STREAM.slice(cut))];
      assert.deepEqual(frames, FRAMES, `cut at ${cut}`);
    }
  });

  const frame = (event: string, data: object, id?: string) =>
    `event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

  async function follow(replies: (string | Error)[], stopAfter: number) {
    const stop = new AbortController();
    const [points, waits, lost, frames]: [object[], number[], string[], string[]] = [[], [], [], []];
    const stream = followStream({
      signal: stop.signal,
      wait: async (ms) => void waits.push(ms),
      onLost: (reason) => void lost.push(reason),
      connect: async (from) => {
        points.push(from);
        const reply = replies.shift();
        if (reply instanceof Error) throw reply;
        return new Response(reply ?? '');
      },
    });
    for await (const { event, data } of stream) {
      frames.push(`${event} ${data}`);
      if (frames.length >= stopAfter) stop.abort();
    }
    return { points, waits, lost, frames };
  }

  it('go on after the last one, and from the beginning of the stream while none has come', async () => {
    const { points, waits, lost, frames } = await follow(
      [
        `retry: 100\n\n${frame('ready', { seq: 7 })}`,
        new Error('refused'),
        frame('ready', { seq: 9 }) + frame('release.created', { n: 1 }, 'evt_1') + frame('bye', { reason: 'max_age' }),
        frame('release.created', { n: 2 }, 'evt_2'),
      ],
      4,
    );

    assert.deepEqual(frames, [
      'ready {"seq":7}',
      'ready {"seq":9}',
      'release.created {"n":1}',
      'release.created {"n":2}',
    ]);
    assert.deepEqual(points, [{}, { since: 7 }, { since: 7 }, { since: 7, lastEventId: 'evt_1' }]);
    assert.deepEqual([waits, lost], [[100, 200, 100], ['the connection was closed']]);
  });

  it('that are refused are an error: at first in any case, later when trying again is in vain', async () => {
    const refusal = (status: number) => new ApiFailure(status, { code: 'x', type: 'x', message: 'no' }, null);

    await assert.rejects(follow([refusal(503)], 1), /no/);
    await assert.rejects(follow([frame('ready', { seq: 1 }), refusal(404)], 9), /no/);
    assert.equal(
      (await follow([frame('ready', { seq: 1 }), refusal(429), frame('ready', { seq: 2 })], 2)).frames.length,
      2,
    );
  });
});
