// The questions of manifests, lookups and evaluation, answered by the adapters themselves: what they can read is proven.
import type { Context } from '../../context.ts';
import { createAdapterContext } from './adapter-context.ts';
import { proveApp } from './appstore/prove.ts';
import { proveFeed } from './feed/prove.ts';
import { proveRepository } from './github/prove.ts';
import type { Proofs, ProvingContext } from './proofs.ts';
import { proveFile, provePage } from './scrape/prove-page.ts';

export function createProofs(ctx: Context, signal?: AbortSignal): Proofs {
  return {
    feed: (url) => proveFeed(createAdapterContext(ctx, { signal }), url),
    repository: (coordinate, options) => proveRepository(createAdapterContext(ctx, { signal }), coordinate, options),
    app: (url) => proveApp(createAdapterContext(ctx, { signal }), url),
    file: (url) => proveFile(createAdapterContext(ctx, { signal }), url),
    page: (url) => provePage(createAdapterContext(ctx, { signal }), url),
  };
}

export function withProofs(ctx: Context, signal?: AbortSignal): ProvingContext {
  return { ...ctx, proofs: createProofs(ctx, signal) };
}
