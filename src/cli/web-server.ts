// The web server of one process: credentials, cache and routes behind a listening socket.
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createCredentials } from '../accounts/credentials.ts';
import { runOnce } from '../accounts/idempotency.ts';
import { ensureRootKey, type RootKey } from '../accounts/installation-secrets.ts';
import type { Context } from '../context.ts';
import { createAuth } from '../http/auth/index.ts';
import { ROUTES } from '../http/routes/index.ts';
import { createHttpServer } from '../http/server.ts';
import { writeDemand } from '../ingest/manifests/demand.ts';
import { createMcpGroup } from '../mcp/http.ts';
import { writeAsked } from '../packages/whats-changed/note-asked.ts';
import { writeSearchLog } from '../search/search.ts';
import { readVersion } from '../version.ts';
import { accountGroup, homePage, operatorGroup, operatorSignIn, referencePages, webGroup } from '../web/index.ts';
import { createLoop } from '../worker/worker.ts';
import { CommandFailure } from './command.ts';
import { partOfStop } from './stop.ts';
import { warmUp } from './warm-up.ts';

const MINUTE_MS = 60_000;
// A part of the ten seconds that a stop may take; the rest is for the cleanup after requests.
const ANSWERED_WITHIN_MS = 8500;
const MIN_GRACE_MS = 500;

interface WebServer {
  url: string;
  rootKey: RootKey | null;
  // Answers everything but `/ready`, which waits for the data that the work loads.
  whileLoading(work: () => Promise<void>): Promise<void>;
  // Continues to answer during the drain time if one is requested, then finishes running requests.
  close(request: { drain: boolean }): Promise<void>;
}

// `only` serves MCP without the API, the pages and sign-in.
export async function openWebServer(ctx: Context, { only }: { only?: 'mcp' } = {}): Promise<WebServer> {
  setEngineFlags();
  keepFreedMemory();
  const rootKey = ensureRootKey(ctx);
  const credentials = createCredentials(ctx, rootKey?.value ?? null);
  const auth = createAuth(ctx, credentials, { operatorRefused: operatorSignIn });
  const mcp = createMcpGroup(ctx, { routes: ROUTES, credentials, version: readVersion() });
  const server = createHttpServer({
    ctx,
    credentials,
    idempotency: { run: runOnce },
    ...(only === 'mcp'
      ? { api: null, groups: [mcp] }
      : {
          api: { routes: ROUTES, home: homePage, reference: referencePages },
          groups: [
            ...auth.groups,
            mcp,
            webGroup(ROUTES),
            accountGroup(auth.routes, credentials),
            operatorGroup(credentials.operators, ROUTES),
          ],
        }),
    ...(cluster.worker ? { processName: `web-${cluster.worker.id}` } : {}),
  });
  const { url } = await server.listen().catch((error: NodeJS.ErrnoException) => {
    throw listenFailure(ctx, error);
  });
  // Requested domains and searches are counted in the memory of each web process, so that a read writes nothing.
  const demand = createLoop({ name: 'demand', everyMs: MINUTE_MS, run: () => storeCounts(ctx) }, ctx);
  demand.start();
  const warming = warmUp();
  return {
    url,
    rootKey,
    async whileLoading(work) {
      server.setLoading(true);
      await work();
      server.setLoading(false);
    },
    async close({ drain }) {
      const drainMs = drain ? ctx.config.drainMs : 0;
      server.beginStop();
      warming.stop();
      await sleep(drainMs);
      await partOfStop('requests', server.close(Math.max(MIN_GRACE_MS, ANSWERED_WITHIN_MS - drainMs)));
      await partOfStop('mails of accounts', auth.settle());
      await partOfStop('counts of demand', demand.stop());
      await partOfStop('use of credentials', credentials.settle());
    },
  };
}

async function storeCounts(ctx: Context): Promise<'idle'> {
  await writeDemand(ctx);
  await writeSearchLog(ctx);
  await writeAsked(ctx);
  return 'idle';
}

function listenFailure({ config }: Context, error: NodeJS.ErrnoException): Error {
  const where = `${config.host}:${config.port}`;
  if (error.code === 'EADDRINUSE') return new CommandFailure(`${where} is in use; choose another port with --port`);
  if (error.code === 'EACCES') return new CommandFailure(`${where} may not be opened; choose a port above 1023`);
  return new CommandFailure(`${where} cannot be opened: ${error.message}`);
}

const NEVER_MS = 2 ** 31 - 1;

// A full collection blocks all requests for a tenth of a second, so the heap may grow further before the next one. V8 would
// shrink the heap of a process that is idle for a while, and drop compiled code with it: a cached answer would cost a quarter
// more until the process ends. The memory that it would give back is some 60 MB. The shrinking is put off for ever, because a
// process that has begun with it aborts when it may no longer do it at all.
export const ENGINE_FLAGS = [
  '--heap-growing-percent=300',
  `--gc-memory-reducer-start-delay-ms=${NEVER_MS}`,
  `--memory-reducer-delay-ms=${NEVER_MS}`,
] as const;

export function setEngineFlags(): void {
  for (const flag of ENGINE_FLAGS) setFlagsFromString(flag);
}

const LARGE_BLOCK = 24 * 1024 * 1024;

// The allocator of glibc returns the end of its heap to the kernel when a large response is freed, and the next one faults
// every page in again: up to a sixth of the processor time of a list of 2 MB. It keeps twice as much as the largest block
// that was ever mapped and freed (M_MMAP_THRESHOLD in mallopt(3)). The block's pages are never touched, so it takes no
// memory; other allocators ignore it.
export function keepFreedMemory(): void {
  new ArrayBuffer(LARGE_BLOCK).transfer(0);
}
