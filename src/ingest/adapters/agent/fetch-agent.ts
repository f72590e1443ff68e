// A source that no parser reads: a model looks for its entries, and every one is checked against the page.
import type { FetchOutcome } from '../../../domain/fetching/outcome.ts';
import { normalizeUrl } from '../../../domain/urls.ts';
import { ModelFailure, type ModelMessage, type ModelToolCall } from '../../../insight/model/index.ts';
import { parseJson } from '../../../store/json-text.ts';
import {
  type Adapter,
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  adapterResult,
  type Item,
  type ModelPort,
  type Validator,
} from '../contract.ts';
import type { Failure } from '../outcomes.ts';
import { pageHash, textHash } from '../scrape/body-hash.ts';
import { allowedHosts } from './allowed-hosts.ts';
import { type CheckInfo, checkEntry } from './check-entry.ts';
import { opening, SYSTEM, TOOLS } from './prompt.ts';
import { PageReader, type ReadResult } from './read-pages.ts';

// The conversation with the model: it asks for pages and hands over entries until it is done or a limit is reached.

interface AgentLimits {
  fetches: number;
  inputTokens: number;
  // Aborts every call and fetch that still runs when the time is over.
  signal: AbortSignal;
}

interface AgentRun {
  items: Item[];
  rejected: number;
  stopped: 'fetches' | 'tokens' | 'time' | null;
  // The error of the model or of its server.
  failure: unknown;
}

const SHOWN = 60_000;
const MAX_TURNS = 60;

async function runAgent(
  model: ModelPort,
  { reader, facts, limits, first }: { reader: PageReader; facts: CheckInfo; limits: AgentLimits; first: string },
): Promise<AgentRun> {
  const run: AgentRun = { items: [], rejected: 0, stopped: null, failure: null };
  const found = new Map<string, Item>();
  const messages: ModelMessage[] = [{ role: 'user', content: first }];
  let inputTokens = 0;

  const answerTo = async ({ name, arguments: given }: ModelToolCall): Promise<object> => {
    if (name === 'fetch') return readForModel(reader, run, limits, given);
    if (name !== 'submit') return { error: `there is no tool ${name.slice(0, 40)}` };
    const entries = isRecord(given) && Array.isArray(given.entries) ? given.entries : null;
    if (entries === null) return { error: 'entries must be a list' };
    const results = entries.slice(0, 100).map((entry) => take(entry, facts, found, run));
    return { results };
  };

  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    if (limits.signal.aborted) run.stopped = 'time';
    else if (inputTokens >= limits.inputTokens) run.stopped = 'tokens';
    if (run.stopped === 'time' || run.stopped === 'tokens') break;
    try {
      const answer = await model.chat({ system: SYSTEM, messages, tools: TOOLS, signal: limits.signal });
      inputTokens += answer.inputTokens;
      if (answer.toolCalls.length === 0) break;
      messages.push({ role: 'assistant', content: answer.text, toolCalls: answer.toolCalls });
      for (const call of answer.toolCalls) {
        messages.push({ role: 'tool', toolCallId: call.id, content: JSON.stringify(await answerTo(call)) });
      }
    } catch (error) {
      if (limits.signal.aborted) run.stopped = 'time';
      else run.failure = error;
      break;
    }
  }
  run.items = [...found.values()];
  return run;
}

async function readForModel(reader: PageReader, run: AgentRun, limits: AgentLimits, given: unknown): Promise<object> {
  const url = isRecord(given) && typeof given.url === 'string' ? given.url : null;
  if (url === null) return { error: 'url must be a text' };
  const known = reader.find(url);
  if (known) return shown(known.markdown, known.url);
  if (reader.fetches >= limits.fetches) {
    run.stopped = 'fetches';
    return { error: 'no fetches are left; hand over what you have' };
  }
  const result = await reader.read(url, {}, limits.signal);
  return result.ok ? shown(result.page.markdown, result.page.url) : { error: result.failure.detail };
}

function shown(markdown: string, url: string): object {
  return { url, markdown: excerpt(markdown) };
}

function excerpt(markdown: string): string {
  return markdown.length <= SHOWN ? markdown : `${markdown.slice(0, SHOWN)}\n[the page goes on]`;
}

function take(entry: unknown, facts: CheckInfo, found: Map<string, Item>, run: AgentRun): object {
  const check = checkEntry(entry, facts);
  if (!check.ok) {
    run.rejected += 1;
    return { accepted: false, reason: check.reason };
  }
  const key = `${check.item.url === null ? '' : normalizeUrl(check.item.url)}\n${check.item.title}`;
  found.set(key, check.item);
  return { accepted: true };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
