// The questions of manifests, lookups and evaluation, answered by the adapters themselves: what they can read is proven.
import type { Context } from '../../../context.ts';
import type { Proofs, ProvingContext } from '../../manifests/proofs.ts';
import { proveApp } from './app.ts';
import { proveFeed } from './feed.ts';
import { proveFile } from './file.ts';
import { provePage } from './page.ts';
import { probing } from './probing.ts';
import { proveRepository } from './repository.ts';

export function createProofs(ctx: Context, signal?: AbortSignal): Proofs {
  return {
    feed: (url) => proveFeed(probing(ctx, signal), url),
    repository: (coordinate, wish) => proveRepository(probing(ctx, signal), coordinate, wish),
    app: (url) => proveApp(probing(ctx, signal), url),
    file: (url) => proveFile(probing(ctx, signal), url),
    page: (url) => provePage(probing(ctx, signal), url),
  };
}

export function withProofs(ctx: Context, signal?: AbortSignal): ProvingContext {
  return { ...ctx, proofs: createProofs(ctx, signal) };
}
