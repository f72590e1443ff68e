import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { limitLike } from '../../contract/query.ts';
import { type ReadingAnswer, readingAnswer } from '../../contract/reading.ts';
import { hasEnded } from '../../domain/readings/reading.ts';
import { sleep, systemTimers } from '../../net/timers.ts';
import { readReading } from '../../packages/readings/describe.ts';
import { hurryReading } from '../../packages/readings/hurry.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import type { StreamRequest } from '../kernel/stream.ts';
import { readingStreamExample } from './examples.ts';

const MAX_WAIT_SECONDS = 25;
const LOOK_AGAIN_MS = 300;

export const readingRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/readings/{id}',
    summary: 'What is being read for a question (beta)',
    description:
      'A question about a package orders what it lacks: `reading.id` of its answer leads here. With `wait` the answer comes as soon as something has changed, or after so many seconds. A reading ends within two minutes, and is told for a day.',
    tag: 'Upgrades',
    access: 'public',
    query: {
      wait: limitLike({ default: 0, min: 0, max: MAX_WAIT_SECONDS }).describe('Seconds to wait for a change.'),
    },
    answers: { 200: readingAnswer },
    errors: ['not_found'],
    cache: 'never',
    cacheBytes: false,
    run: (ctx, { params: { id = '' }, query: { wait } }) => awaitChange(ctx, id, wait),
  }),
  route({
    method: 'GET',
    path: '/readings/{id}/events',
    summary: 'What is being read for a question, as server-sent events (beta)',
    description:
      'An event `reading` with the whole state at once and after each change; it ends with `bye` once the reading has ended. Open streams count together with those of releases.',
    tag: 'Upgrades',
    access: 'public',
    answers: { 200: null },
    example: readingStreamExample,
    errors: ['not_found', 'rate_limited'],
    live: true,
    run: async (ctx, { params: { id = '' } }): Promise<StreamRequest> => {
      const reading = await readReading(ctx, id);
      if (!hasEnded(reading) && !ctx.caller.passive) await hurryReading(ctx, id);
      return { reading };
    },
  }),
];

async function awaitChange(ctx: Context, id: string, seconds: number): Promise<ReadingAnswer> {
  const first = await readReading(ctx, id);
  if (seconds === 0 || hasEnded(first)) return first;
  if (!ctx.caller.passive) await hurryReading(ctx, id);
  const until = systemTimers.now() + seconds * 1000;
  let last = first;
  while (!hasEnded(last) && isDeepStrictEqual(last, first) && systemTimers.now() < until) {
    await sleep(systemTimers, Math.min(LOOK_AGAIN_MS, Math.max(0, until - systemTimers.now())));
    last = await readReading(ctx, id);
  }
  return last;
}
