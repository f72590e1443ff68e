// The questions of manifests, lookups and evaluation, answered by the adapters themselves: what they can read is proven.
import type { Context } from '../../context.ts';
import { createAdapterContext } from './adapter-context.ts';
import { probeApp } from './appstore/probe.ts';
import { probeFeed } from './feed/probe.ts';
import { probeRepository } from './github/probe.ts';
import type { Proofs, ProvingContext } from './proofs.ts';
import { probeFile, probePage } from './scrape/probe-page.ts';

export function createProofs(ctx: Context, signal?: AbortSignal): Proofs {
  return {
    feed: (url) => probeFeed(createAdapterContext(ctx, { signal }), url),
    repository: (coordinate, options) => probeRepository(createAdapterContext(ctx, { signal }), coordinate, options),
    app: (url) => probeApp(createAdapterContext(ctx, { signal }), url),
    file: (url) => probeFile(createAdapterContext(ctx, { signal }), url),
    page: (url) => probePage(createAdapterContext(ctx, { signal }), url),
  };
}

export function withProofs(ctx: Context, signal?: AbortSignal): ProvingContext {
  return { ...ctx, proofs: createProofs(ctx, signal) };
}
