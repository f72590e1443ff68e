// What an adapter is given to ask the outside with.
import type { Context } from '../../context.ts';
import type { AdapterContext } from './contract.ts';
import { robotsFailure } from './outcomes.ts';

// Counts what leaves the machine, and lets nothing more leave once the signal is raised.
export function createAdapterContext(
  ctx: Context,
  { model = null, signal }: { model?: AdapterContext['model']; signal?: AbortSignal } = {},
): AdapterContext {
  const meter = { requests: 0, bytes: 0 };
  return {
    async fetch(request) {
      const signals = [request.signal, signal].filter((one) => one !== undefined);
      const result = await ctx.fetch({
        ...request,
        signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
      });
      meter.requests += result.requests;
      meter.bytes += result.bytes;
      return result;
    },
    robotsFailure: async (url) => robotsFailure(await ctx.robots.check(url, signal)),
    settings: ctx.config.upstream,
    model,
    now: ctx.clock(),
    meter,
  };
}
