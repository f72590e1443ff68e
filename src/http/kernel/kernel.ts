// What every request handler shares.
import type { Context } from '../../context.ts';
import type { ByteCache } from '../caching/byte-cache.ts';
import type { CredentialCheck } from './credentials.ts';
import type { Idempotency } from './idempotency.ts';
import type { RateTiers } from './limits.ts';
import type { RequestMeter } from './request-meter.ts';
import type { Streams } from './stream.ts';

export interface Kernel {
  ctx: Context;
  credentials: CredentialCheck;
  idempotency: Idempotency;
  tiers: RateTiers;
  // Null: switched off.
  cache: ByteCache | null;
  meter: RequestMeter;
  streams: Streams;
  // Set once the process is asked to end: it still answers, and `/ready` sends new traffic elsewhere.
  stopping: boolean;
  // Compare every answer with its declared schema; for tests.
  verifyAnswers: boolean;
}
