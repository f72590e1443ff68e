// The questions of manifests, lookups and evaluation, answered by the adapters themselves: what they can read is proven.
// A process loads an adapter with the first question for it, because most servers are never asked.
import type { Context } from '../../context.ts';
import type { Proofs, ProvingContext } from './proofs.ts';

export function createProofs(ctx: Context, signal?: AbortSignal): Proofs {
  const adapter = async () => (await import('./adapter-context.ts')).createAdapterContext(ctx, { signal });
  return {
    feed: async (url) => (await import('./feed/probe.ts')).probeFeed(await adapter(), url),
    repository: async (coordinate, options) =>
      (await import('./github/probe.ts')).probeRepository(await adapter(), coordinate, options),
    app: async (url) => (await import('./appstore/probe.ts')).probeApp(await adapter(), url),
    file: async (url) => (await import('./scrape/probe-page.ts')).probeFile(await adapter(), url),
    page: async (url) => (await import('./scrape/probe-page.ts')).probePage(await adapter(), url),
  };
}

export function withProofs(ctx: Context, signal?: AbortSignal): ProvingContext {
  return { ...ctx, proofs: createProofs(ctx, signal) };
}
