// Loads the modules that the start leaves out, once the service has been up for a while. Otherwise the first request
// that needs one would block all others for a tenth of a second.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadVocabulary } from '../domain/tokens/index.ts';

const AFTER_MS = 10_000;

const PARTS: readonly (() => unknown)[] = [
  loadVocabulary,
  // A module is loaded with all that it imports in one turn, so the largest of these come first, each by itself.
  () => import('../accounts/auth/hashing.ts'),
  () => import('better-auth/plugins/jwt'),
  () => import('@better-auth/oauth-provider'),
  () => import('../accounts/auth/library.ts'),
  () => import('@modelcontextprotocol/server'),
  () => import('../mcp/http-handler.ts'),
  () => import('../ingest/pipeline/fetch-source.ts'),
  () => import('../ingest/on-request.ts'),
];

interface WarmUp {
  done: Promise<void>;
  stop(): void;
}

export function warmUp(afterMs = AFTER_MS, parts = PARTS): WarmUp {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => loadParts(parts).then(resolve, reject), afterMs).unref();
  // A module that cannot be loaded fails the request that needs it, which is logged there.
  promise.catch(() => {});
  return { done: promise, stop: () => clearTimeout(timer) };
}

async function loadParts(parts: typeof PARTS): Promise<void> {
  for (const load of parts) {
    await load();
    await nextTurn();
  }
}
