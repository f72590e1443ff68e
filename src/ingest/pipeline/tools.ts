import type { Context } from '../../context.ts';
import type { ModelPort } from '../adapters/contract.ts';
import { ADAPTERS, type AdapterTable } from './route.ts';

// What a fetch needs besides the context.
export interface FetchTools {
  adapters: AdapterTable;
  // Null: none is configured, and only agent sources miss it.
  model: ModelPort | null;
}

/** The real ones. The one place to change when the context brings a model. */
export function toolsOf(_: Context): FetchTools {
  return { adapters: ADAPTERS, model: null };
}
