import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { normalise } from '../../domain/embedding/quantise.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import type { FetchResult } from '../../net/result.ts';
import { type Embedder, EmbedFailure, type EmbedKind } from './embedder.ts';
import { createLocalEmbedder } from './minilm/local-embedder.ts';

// The configured embedder; null when the operator wants none.
export function createEmbedder({ config, fetch, log }: Pick<Context, 'config' | 'fetch' | 'log'>): Embedder | null {
  const { embedder, dataDir } = config;
  switch (embedder.kind) {
    case 'off':
      return null;
    case 'local':
      return createLocalEmbedder({ dataDir, log });
    case 'endpoint':
      return createEndpointEmbedder(embedder, { fetch });
  }
}

// Any service that speaks the common embeddings protocol, through the guarded fetch that every outgoing request uses.

export interface EndpointSettings {
  // The base address of the interface, such as `https://host/v1`.
  url: string;
  key: string | null;
  name: string;
  queryPrefix: string;
  documentPrefix: string;
}

interface EndpointTools {
  fetch: GuardedFetch;
  // Pause between two attempts.
  pauseMs?: number;
}

const TEXTS_A_CALL = 64;
const PATIENCE: Record<EmbedKind, { ms: number; tries: number }> = {
  query: { ms: 300, tries: 1 },
  document: { ms: 10_000, tries: 3 },
};
const PAUSE_MS = 500;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const answer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()).min(1) })),
});

export function createEndpointEmbedder(settings: EndpointSettings, tools: EndpointTools): Embedder {
  const { fetch, pauseMs = PAUSE_MS } = tools;

  async function call(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]> {
    const { ms } = PATIENCE[kind];
    const prefix = kind === 'query' ? settings.queryPrefix : settings.documentPrefix;
    const ended = AbortSignal.timeout(ms);
    const result = await fetch({
      url: `${settings.url.replace(/\/+$/, '')}/embeddings`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(settings.key === null ? {} : { authorization: `Bearer ${settings.key}` }),
      },
      body: JSON.stringify({
        model: settings.name,
        input: texts.map((text) => prefix + text),
        encoding_format: 'float',
      }),
      // The time limit includes the wait for a free slot.
      signal: signal ? AbortSignal.any([signal, ended]) : ended,
      limits: { firstByteMs: ms, totalMs: ms, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 },
    });
    if (ended.aborted) throw new EmbedFailure('timeout', `no answer within ${ms} ms`);
    return readAnswer(result, texts.length);
  }

  async function patiently(texts: readonly string[], kind: EmbedKind, signal?: AbortSignal): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call(texts, kind, signal);
      } catch (error) {
        if (!(error instanceof EmbedFailure) || !PASSING.has(error.code)) throw error;
        if (attempt >= PATIENCE[kind].tries) throw error;
        await sleep(pauseMs * attempt, undefined, { signal }).catch(() => {
          throw new EmbedFailure('aborted', 'not wanted any more');
        });
      }
    }
  }

  return {
    id: `endpoint:${settings.name}`,
    dims: null,
    weight: 1,
    batch: TEXTS_A_CALL,
    async embed(texts, kind, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += TEXTS_A_CALL) {
        vectors.push(...(await patiently(texts.slice(at, at + TEXTS_A_CALL), kind, signal)));
      }
      return vectors;
    },
  };
}

const PASSING = new Set<EmbedFailure['code']>(['timeout', 'unreachable', 'throttled']);

function readAnswer(result: FetchResult, count: number): Float32Array[] {
  if (!result.ok) {
    const { failure, detail } = result;
    const code = failure === 'timeout' || failure === 'aborted' || failure === 'unreachable' ? failure : 'failed';
    throw new EmbedFailure(code, detail);
  }
  const { status } = result;
  if (status === 429) throw new EmbedFailure('throttled', `http ${status}`);
  if (status === 401 || status === 403 || status === 404) throw new EmbedFailure('refused', `http ${status}`);
  if (status >= 500) throw new EmbedFailure('unreachable', `http ${status}`);
  if (status < 200 || status >= 300) throw new EmbedFailure('failed', `http ${status}`);
  const parsed = answer.safeParse(json(result.body));
  if (!parsed.success) throw new EmbedFailure('malformed', 'not an answer of the protocol');
  const items = parsed.data.data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  if (items.length !== count) throw new EmbedFailure('malformed', `${items.length} vectors for ${count} texts`);
  const dims = items[0]?.embedding.length;
  return items.map(({ embedding }) => {
    if (embedding.length !== dims) throw new EmbedFailure('malformed', 'vectors of different lengths');
    const vector = normalise(Float32Array.from(embedding));
    if (!vector.some((value) => value !== 0)) throw new EmbedFailure('malformed', 'a vector without direction');
    return vector;
  });
}

function json(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
