// A source that no parser reads: a model looks for its entries, and every one is checked against the page.

import type { FetchOutcome } from '../../../domain/fetching/outcome.ts';
import { ModelFailure } from '../../../insight/model/index.ts';
import { parseJson } from '../../../store/json-text.ts';
import {
  type Adapter,
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type Validator,
} from '../contract.ts';
import type { Failure } from '../outcomes.ts';
import { pageHash, textHash } from '../scrape/body-hash.ts';
import { allowedHosts } from './allowed-hosts.ts';
import { opening } from './prompt.ts';
import { PageReader, type ReadResult } from './read-pages.ts';
import { type AgentLimits, type AgentRun, excerpt, runAgent } from './run.ts';

export interface AgentOptions {
  fetches?: number;
  inputTokens?: number;
  // A new signal for every run.
  deadline?: () => AbortSignal;
}

const RUN_MS = 180_000;

export const fetchAgent: Adapter = createFetchAgent();

export function createFetchAgent(options: AgentOptions = {}): Adapter {
  const { fetches = 15, inputTokens = 200_000, deadline = () => AbortSignal.timeout(RUN_MS) } = options;
  return async (ctx, input) => {
    if (ctx.model === null) {
      return adapterResult(ctx, { outcome: 'model_not_configured', detail: 'an agent source needs a model' });
    }
    return readSite(ctx, input, ctx.model, { fetches, inputTokens, signal: deadline() });
  };
}

async function readSite(
  ctx: AdapterContext,
  input: AdapterInput,
  model: NonNullable<AdapterContext['model']>,
  limits: AgentLimits,
): Promise<AdapterResult> {
  const { source, names } = input;
  const { allowedHosts: more = [] } = parseJson(source.settings);
  const hosts = allowedHosts(source.url, more);
  const reader = new PageReader(ctx, hosts);
  const stored = input.firstFetch ? undefined : input.validators.find(({ endpoint }) => endpoint === source.url);
  // The start page costs no tokens: when it has not changed, the model is not asked.
  const start = await reader.read(source.url, conditionsOf(stored), limits.signal);
  if (!start.ok) return failed(ctx, start.failure);
  const { status: httpStatus } = start.answer;
  if (httpStatus === 304) {
    if (stored) return adapterResult(ctx, { outcome: 'no_change', httpStatus });
    return adapterResult(ctx, { outcome: 'malformed', detail: '304 without a condition', httpStatus });
  }
  const validator = validatorOf(source.url, start);
  if (stored?.contentHash === validator.contentHash) {
    return adapterResult(ctx, { outcome: 'no_change', httpStatus, validators: [validator] });
  }
  const facts = { find: reader.find.bind(reader), hosts, sourceUrl: source.url, names, now: ctx.now };
  const first = opening({ url: source.url, names, markdown: excerpt(start.page.markdown) });
  const run = await runAgent(model, { reader, facts, limits, first });
  return { ...resultOf(ctx, run, validator, input.max), httpStatus };
}

function resultOf(ctx: AdapterContext, run: AgentRun, validator: Validator, max: number | undefined): AdapterResult {
  const items = run.items.slice(0, max ?? run.items.length);
  const notes = [
    ...(run.rejected > 0 ? [`${run.rejected} entries rejected`] : []),
    ...(run.stopped ? [`stopped by the limit of ${run.stopped}`] : []),
  ];
  const found = { items, notes };
  if (run.failure !== null) return adapterResult(ctx, { ...found, ...modelFailure(run.failure) });
  // The hash is left out when items were cut off, so that the next run reads the rest.
  if (items.length > 0) {
    return adapterResult(ctx, { ...found, outcome: 'success', validators: run.stopped ? [] : [validator] });
  }
  if (run.rejected > 0)
    return adapterResult(ctx, { ...found, outcome: 'malformed', detail: `all ${run.rejected} entries rejected` });
  const detail = run.stopped ? `stopped by the limit of ${run.stopped}` : 'the model found no entry';
  const outcome: FetchOutcome = run.stopped === 'time' ? 'timeout' : run.stopped ? 'error' : 'empty';
  return adapterResult(ctx, { ...found, outcome, detail });
}

// A failure of the model says nothing about the source, except that it was not read.
function modelFailure(failure: unknown): Pick<AdapterResult, 'outcome' | 'detail' | 'retryAt' | 'sharedBudget'> {
  if (!(failure instanceof ModelFailure))
    return { outcome: 'error', detail: 'model: unexpected failure', retryAt: null };
  const { code, message, retryAt } = failure;
  const outcome: FetchOutcome =
    code === 'throttled' || code === 'daily_cap' ? 'throttled' : code === 'timeout' ? 'timeout' : 'error';
  return { outcome, detail: `model: ${code}: ${message}`, retryAt, sharedBudget: outcome === 'throttled' };
}

function conditionsOf(stored: Validator | undefined): Record<string, string> {
  return {
    ...(stored?.etag ? { 'if-none-match': stored.etag } : {}),
    ...(stored?.lastModified ? { 'if-modified-since': stored.lastModified } : {}),
  };
}

function validatorOf(endpoint: string, { page, answer }: ReadResult & { ok: true }): Validator {
  return {
    endpoint,
    etag: answer.headers.etag ?? null,
    lastModified: answer.headers['last-modified'] ?? null,
    contentHash: page.html === '' ? textHash(page.markdown) : pageHash(page.html),
    tokenFingerprint: null,
  };
}

function failed(ctx: AdapterContext, { outcome, detail, httpStatus, retryAt }: Failure): AdapterResult {
  return adapterResult(ctx, { outcome, detail, httpStatus, retryAt });
}
