// The state that all request handlers share.
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
  // Null when the cache is switched off.
  cache: ByteCache | null;
  meter: RequestMeter;
  streams: Streams;
  // Set when the process is asked to stop: it still answers, and `/ready` sends new traffic elsewhere.
  stopping: boolean;
  // The data of a first start is still being loaded: `/ready` waits for it, everything else answers.
  loading: boolean;
  // Tests compare every reply with its declared schema.
  verifyAnswers: boolean;
}
