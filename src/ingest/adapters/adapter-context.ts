// The context of an adapter: how it asks other servers, and what a fetch needs besides.
import type { Context } from '../../context.ts';
import type { SourceType } from '../../domain/source-types.ts';
import { createModel, meteredModel } from '../../insight/model/index.ts';
import type { Adapter, AdapterContext, ModelPort } from './contract.ts';
import { robotsFailure } from './outcomes.ts';

// Counts requests and bytes of all calls, and refuses further requests once the signal is raised.
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

// What a fetch needs besides the context.
export interface FetchTools {
  // Tests pass these in place of the adapters of the source types.
  adapters?: Partial<Record<SourceType, Adapter>>;
  // Null when no model is configured; only agent sources need one.
  model: ModelPort | null;
}

// The tools of the running service.
export function toolsOf(ctx: Context): FetchTools {
  const { model } = ctx.config;
  if (model === null) return { model: null };
  const metering = { operation: 'agent', dailyTokens: model.dailyTokens };
  return { model: meteredModel(ctx, createModel(model, ctx), metering) };
}
