// Asks a model over HTTP, through the guarded fetch that every outgoing request uses.
import { isThrottled, retryAt } from '../../domain/net/rate-limit.ts';
import { textTokens } from '../../domain/tokens/index.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import type { FetchFailure, FetchSuccess } from '../../net/result.ts';
import { anthropic } from './anthropic.ts';
import type { ChatAnswer, ChatModel, ChatRequest } from './chat.ts';
import { ModelFailure } from './failure.ts';
import { openai } from './openai.ts';
import type { Protocol } from './protocol.ts';

export interface ModelSettings {
  provider: 'openai' | 'anthropic';
  // The base address of the interface, such as `https://host/v1`.
  url: string;
  key: string | null;
  name: string;
}

interface ModelTools {
  fetch: GuardedFetch;
  // The current time, with which dates in `Retry-After` are compared.
  clock: () => Date;
}

const CALL_MS = 60_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const PROTOCOLS: Record<ModelSettings['provider'], Protocol> = { openai, anthropic };

export function createModel(settings: ModelSettings, { fetch, clock }: ModelTools): ChatModel {
  const protocol = PROTOCOLS[settings.provider];
  return {
    name: settings.name,
    chat: async (request) => {
      const body = JSON.stringify(protocol.body(settings.name, request));
      const result = await fetch({
        url: `${settings.url.replace(/\/+$/, '')}/${protocol.path}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...protocol.headers(settings.key) },
        body,
        signal: request.signal,
        limits: { firstByteMs: CALL_MS, totalMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 },
      });
      if (!result.ok) throw failureOf(result);
      return readAnswer(protocol, request, result, clock());
    },
  };
}

function failureOf({ failure, detail }: FetchFailure): ModelFailure {
  if (failure === 'timeout' || failure === 'aborted') return new ModelFailure(failure, detail);
  return new ModelFailure(failure === 'unreachable' ? 'unreachable' : 'failed', detail);
}

function readAnswer(protocol: Protocol, request: ChatRequest, result: FetchSuccess, now: Date): ChatAnswer {
  const { status, headers } = result;
  const text = new TextDecoder().decode(result.body);
  if (isThrottled({ status, headers, text }, now)) {
    throw new ModelFailure('throttled', `http ${status}`, retryAt({ headers }, now)?.toISOString() ?? null);
  }
  if (status === 401 || status === 403 || status === 404) throw new ModelFailure('refused', `http ${status}`);
  if (status >= 500) throw new ModelFailure('unreachable', `http ${status}`);
  if (status < 200 || status >= 300) throw new ModelFailure('failed', `http ${status}`);
  const answer = protocol.read(parsed(text));
  if (answer === null) throw new ModelFailure('malformed', 'not an answer of the protocol');
  return {
    ...answer,
    // Some servers do not count tokens; an estimate makes sure that budgets still hold.
    inputTokens:
      answer.inputTokens ?? textTokens(request.system + request.messages.map(({ content }) => content).join('')),
    outputTokens: answer.outputTokens ?? textTokens(answer.text + JSON.stringify(answer.toolCalls)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
