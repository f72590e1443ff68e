// Repeated POSTs: the interface of the store for their replies.
import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Reply } from './reply.ts';

interface IdempotentRequest {
  callerKey: string;
  key: string;
  // A hash of method, path, query and body.
  fingerprint: string;
  // The work sends requests to other servers, so it must not run inside a transaction.
  outbound: boolean;
}

export interface Idempotency {
  // Runs the work once per key. Unless it is outbound, the work gets the context of the transaction in which the reply
  // is stored.
  run(
    ctx: Context,
    call: IdempotentRequest,
    work: (ctx: Context) => Promise<Reply>,
  ): Promise<{ reply: Pick<Reply, 'status' | 'body' | 'headers'>; replayed: boolean }>;
}

const KEY = /^[\x21-\x7e]{16,255}$/;

export function checkKey(value: string): string {
  if (KEY.test(value)) return value;
  const reason = 'must have 16 to 255 visible ASCII characters';
  throw new ApiError('bad_request', `Idempotency-Key: ${reason}`, { parameter: 'Idempotency-Key', reason });
}

export function callerKeyOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return `ip:${caller.ip}`;
  if (caller.account) return `account:${caller.account.userId}`;
  return caller.tokenId === null ? caller.kind : `token:${caller.tokenId}`;
}

export function fingerprintOf(request: { method: string; path: string; query: string; body: Uint8Array }): string {
  // Neither the path nor the query can contain a line feed.
  const head = `${request.method}\n${request.path}\n${request.query}\n`;
  return createHash('sha256').update(head).update(request.body).digest('hex');
}

// Without a store a request with a key is refused, because it could not be recognized when it is repeated.
export const NO_IDEMPOTENCY: Idempotency = {
  async run() {
    throw new ApiError('idempotency_unavailable', 'the key cannot be stored; the request did not run');
  },
};
