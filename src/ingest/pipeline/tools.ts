import type { Context } from '../../context.ts';
import { createModel, meteredModel } from '../../insight/model/index.ts';
import type { ModelPort } from '../adapters/contract.ts';
import { ADAPTERS, type AdapterTable } from './route.ts';

// What a fetch needs besides the context.
export interface FetchTools {
  adapters: AdapterTable;
  // Null: none is configured, and only agent sources miss it.
  model: ModelPort | null;
}

/** The real ones. */
export function toolsOf(ctx: Context): FetchTools {
  const { model } = ctx.config;
  if (model === null) return { adapters: ADAPTERS, model: null };
  const metering = { operation: 'agent', dailyTokens: model.dailyTokens };
  return { adapters: ADAPTERS, model: meteredModel(ctx, createModel(model, ctx), metering) };
}
