// Reads the body of an answer as it streams in, and stops at the cap: neither a long body nor one that unpacks to a long
// one is ever held in memory.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { endLongTurn } from '../threads/turns.ts';
import type { RequestFailure } from './result.ts';
import { failureOf } from './result.ts';

export interface BodyRules {
  maxBytes: number;
  // What happens past the cap: the fetch fails, or the beginning is returned.
  overflow: 'fail' | 'cut';
  // `identity`: nothing is unpacked, and a packed body is left unread.
  codings: 'packed' | 'identity';
}

type BodyResult =
  | { ok: true; body: Uint8Array; truncated: boolean; received: number }
  | { ok: false; failure: RequestFailure; received: number };

export async function readBody(answer: IncomingMessage, rules: BodyRules): Promise<BodyResult> {
  const coding = codingOf(answer);
  if (coding !== 'identity' && rules.codings === 'identity') return empty();
  if (coding === 'unknown') return broken('unknown_coding', 'content coding not supported', 0);
  const stated = Number(answer.headers['content-length'] ?? 0);
  if (stated > rules.maxBytes && rules.overflow === 'fail') return tooLarge('received', rules, 0);

  const state: ReadState = { chunks: [], size: 0, received: 0, over: null, wireError: null };
  const decoder = decoderOf(coding);
  try {
    const wire = fromWire(answer, rules.maxBytes, state);
    if (decoder === null) await collect(wire, rules.maxBytes, state);
    else await pipeline(wire, decoder, (unpacked) => collect(unpacked, rules.maxBytes, state));
  } catch {
    const { over, received, wireError } = state;
    if (over !== null && rules.overflow === 'fail') return tooLarge(over, rules, received);
    if (over === null && wireError !== null) return { ok: false, failure: failureOf(wireError, 'exchange'), received };
    // An empty body is not broken data: servers name a coding for empty bodies too.
    if (over === null && received > 0) return broken('broken_data', `not valid ${coding}`, received);
  }
  // Joining ten megabytes takes time, and so does what follows.
  await endLongTurn();
  const body = Buffer.concat(state.chunks).subarray(0, rules.maxBytes);
  await endLongTurn();
  return { ok: true, body, truncated: state.over !== null, received: state.received };
}

interface ReadState {
  chunks: Uint8Array[];
  size: number;
  received: number;
  over: 'received' | 'unpacked' | null;
  // Set only when the network failed, never when a later stage of the stream did.
  wireError: unknown;
}

class Enough extends Error {}

async function* fromWire(answer: IncomingMessage, max: number, state: ReadState): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      state.received += chunk.length;
      if (state.received > max) state.over = 'received';
      yield chunk;
      if (state.over !== null) return;
    }
  } catch (error) {
    state.wireError = error;
    throw error;
  }
}

async function collect(source: AsyncIterable<Uint8Array>, max: number, state: ReadState): Promise<void> {
  for await (const chunk of source) {
    state.chunks.push(chunk);
    state.size += chunk.length;
    if (state.size > max) state.over ??= 'unpacked';
    if (state.size > max) throw new Enough();
  }
  if (state.over !== null) throw new Enough();
}

type Coding = 'identity' | 'gzip' | 'br' | 'unknown';

function codingOf(answer: IncomingMessage): Coding {
  const text = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (text === '' || text === 'identity') return 'identity';
  if (text === 'gzip' || text === 'x-gzip') return 'gzip';
  return text === 'br' ? 'br' : 'unknown';
}

function decoderOf(coding: Coding): Transform | null {
  if (coding === 'gzip') return createGunzip();
  return coding === 'br' ? createBrotliDecompress() : null;
}

function empty(): BodyResult {
  return { ok: true, body: new Uint8Array(), truncated: false, received: 0 };
}

function tooLarge(code: 'received' | 'unpacked', { maxBytes }: BodyRules, received: number): BodyResult {
  return { ok: false, failure: { failure: 'too_large', code, detail: `more than ${maxBytes} bytes` }, received };
}

function broken(code: 'unknown_coding' | 'broken_data', detail: string, received: number): BodyResult {
  return { ok: false, failure: { failure: 'malformed_encoding', code, detail }, received };
}
