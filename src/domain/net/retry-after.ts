import { parseHttpDate } from './http-date.ts';

// RFC 9111 1.2.2: a larger number of seconds may be read as this one.
const MAX_SECONDS = 2 ** 31;

// The wait in milliseconds that a `Retry-After` asks for; null when it is absent, malformed or in the past.
export function retryAfterMs(value: string | null | undefined, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_SECONDS) * 1000;
  const date = parseHttpDate(text, now);
  if (date === null || date < now) return null;
  return date.getTime() - now.getTime();
}
