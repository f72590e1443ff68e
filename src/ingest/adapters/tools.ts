import type { Context } from '../../context.ts';
import type { SourceType } from '../../domain/source-types.ts';
import { createModel, meteredModel } from '../../insight/model/index.ts';
import type { Adapter, ModelPort } from './contract.ts';

// What a fetch needs besides the context.
export interface FetchTools {
  // In place of the adapters of the source types.
  adapters?: Partial<Record<SourceType, Adapter>>;
  // Null: none is configured, and only agent sources miss it.
  model: ModelPort | null;
}

// The real ones.
export function toolsOf(ctx: Context): FetchTools {
  const { model } = ctx.config;
  if (model === null) return { model: null };
  const metering = { operation: 'agent', dailyTokens: model.dailyTokens };
  return { model: meteredModel(ctx, createModel(model, ctx), metering) };
}
