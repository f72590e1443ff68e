// The connections of a search. It runs on threads of its own and not on the one that answers requests: as a whole where the
// engine has such threads, else by its statements.
import { type Context, plainAnswer } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import type { VectorAnswer } from '../domain/retrieval/retrievers.ts';
import type { VectorSearch, VectorStatus } from '../ports.ts';
import type { BesideWork } from '../store/beside.ts';
import type { Queries } from '../store/schema/index.ts';
import type { Store } from '../store/store.ts';
import { type Task, ThreadEnded } from '../threads/task.ts';

// The connection for the statements of a search; inside a transaction that of the transaction.
export function searchQueries(ctx: Context): Queries {
  return ctx.tx ?? ctx.store.search;
}

const besides = new WeakMap<Store, Store>();

export function readingContext(ctx: Context): Context {
  if (ctx.tx) return ctx;
  let store = besides.get(ctx.store);
  if (!store) {
    store = { ...ctx.store, read: ctx.store.search };
    besides.set(ctx.store, store);
  }
  return { ...ctx, store };
}

// A part of a search that can run on a thread: `task` is the same as `here`, made by `onThread`.
export interface SearchPart<Input, Output> {
  here: (ctx: Context, input: Input) => Promise<Output>;
  task: Task<SearchWork<Input>, Promise<SearchDone<Output>>>;
}

// What a thread is told of the context of the caller.
interface Asked<Input> extends Pick<Context, 'caller'> {
  input: Input;
  at: Date;
  dataVersion: number;
  vectors: VectorStatus;
}

export type SearchWork<Input> = BesideWork<Asked<Input>, Context['config']>;

type Refusal = ConstructorParameters<typeof ApiError>;
export type SearchDone<Output> = ({ output: Output } | { refused: Refusal }) & Pick<Context, 'answer'>;

// What a part on a thread leaves to its caller: vectors and the log.
type Question = { search: VectorSearch } | { warning: [facts: object, message: string] };
interface Reply {
  found: VectorAnswer | null;
  vectors: VectorStatus;
}

// Without threads, and inside a transaction, it runs here.
export async function runPart<Input, Output>(
  ctx: Context,
  { here, task }: SearchPart<Input, Output>,
  input: Input,
): Promise<Output> {
  const { runBeside } = ctx.store.search;
  if (ctx.tx || !runBeside) return here(ctx, input);
  const { caller, config, store } = ctx;
  const { vectors } = ctx.ports;
  const dataVersion = store.dataVersion();
  const asked: Asked<Input> = { input, caller, dataVersion, at: ctx.clock(), vectors: vectors.status() };
  const reply = async (question: unknown): Promise<Reply> => {
    const { search, warning } = question as Partial<{ search: VectorSearch; warning: [object, string] }>;
    if (warning) ctx.log.warn(...warning);
    const found = search ? await vectors.search(ctx, search) : null;
    return { found, vectors: vectors.status() };
  };
  const done = await runBeside({ task, input: asked, shared: config, answer: reply }).catch((error) => {
    throw error instanceof ThreadEnded ? indexUnavailable(ctx, error) : error;
  });
  noteAnswer(ctx, done.answer);
  if ('refused' in done) throw new ApiError(...done.refused);
  return done.output;
}

function noteAnswer({ answer }: Context, found: Context['answer']): void {
  answer.containsHidden ||= found.containsHidden;
  answer.degraded ||= found.degraded;
  answer.showsRegistry ||= found.showsRegistry;
  for (const id of found.shows ?? []) answer.shows?.add(id);
}

// The only reason that lasts; every other one ends by itself.
const LASTING = 'not_configured';

// A degraded answer is not cached, because the next one may be complete.
export function noteDegraded(ctx: Context, reason: string | null | undefined): void {
  if (reason && reason !== LASTING) ctx.answer.degraded = true;
}

// On a thread of the store.
export async function onThread<Input, Output>(
  work: SearchWork<Input>,
  here: SearchPart<Input, Output>['here'],
): Promise<SearchDone<Output>> {
  const ctx = threadContext(work);
  try {
    return { output: await here(ctx, work.input.input), answer: ctx.answer };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, headers } = error;
    return { refused: [code, message, details, headers], answer: ctx.answer };
  }
}

type ThreadStore = Pick<Store, 'dialect' | 'read' | 'search' | 'dataVersion'> & { version: number };

const stores = new WeakMap<Queries, ThreadStore>();

// The same for all work of a thread, so that caches of the store last. A version that came with later work is true as well:
// whatever is read from now on was committed before it.
function threadStore({ queries, dialect, input }: SearchWork<unknown>): ThreadStore {
  let store = stores.get(queries);
  if (!store) {
    const made: ThreadStore = { version: 0, dialect, read: queries, search: queries, dataVersion: () => made.version };
    store = made;
    stores.set(queries, store);
  }
  store.version = Math.max(store.version, input.dataVersion);
  return store;
}

// As much of a context as a search reads.
function threadContext(work: SearchWork<unknown>): Context {
  const { at, caller, vectors } = work.input;
  let status = vectors;
  const ask = async (question: Question) => {
    const reply = (await work.ask(question)) as Reply;
    status = reply.vectors;
    return reply.found;
  };
  const part = {
    store: threadStore(work) as Partial<Store> as Store,
    config: work.shared,
    clock: () => at,
    caller,
    answer: { ...plainAnswer(), shows: new Set<string>() },
    log: { warn: (...warning: [object, string]) => void ask({ warning }) },
    ports: { vectors: { search: (_: Context, search: VectorSearch) => ask({ search }), status: () => status } },
  };
  return part as unknown as Context;
}

// Logs the failure and gives the error of the request.
export function indexUnavailable(ctx: Context, error: unknown): ApiError {
  warnOncePerMinute(ctx, 'lexical', error);
  return new ApiError('service_unavailable', 'the search index does not answer', undefined, { 'Retry-After': '5' });
}

const MINUTE_MS = 60_000;

const warned = new WeakMap<object, Map<string, number>>();

// A failing retriever fails for every search, so it is logged once a minute.
export function warnOncePerMinute(ctx: Context, retriever: string, err: unknown): void {
  const times = warned.get(ctx.store) ?? new Map<string, number>();
  warned.set(ctx.store, times);
  const now = ctx.clock().getTime();
  const last = times.get(retriever);
  if (last !== undefined && now >= last && now - last < MINUTE_MS) return;
  times.set(retriever, now);
  ctx.log.warn({ err, retriever }, 'a retriever of the search failed');
}
