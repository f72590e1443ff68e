// How much of us a host has to bear: few jobs at once, and a pause between their starts.
import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';
import { NO_HOST } from '../adapters/contract.ts';

const JOBS_PER_HOST = 2;
const LOCAL_JOBS_PER_CORE = 4;
// The store answers about twenty questions a minute.
const STORE_DELAYS = 3;

export function slotsOf(host: string): number {
  return host === NO_HOST ? LOCAL_JOBS_PER_CORE * availableParallelism() : JOBS_PER_HOST;
}

// Hosts that tell by a quota how often they may be asked.
export function budgetedHosts(upstream: Config['upstream']): Set<string> {
  const { githubApiUrl, githubRawUrl, githubWebUrl, itunesUrl } = upstream;
  return new Set([githubApiUrl, githubRawUrl, githubWebUrl, itunesUrl].map((url) => new URL(url).host));
}

// From the start of one job to the start of the next.
export function startDelayMs({ upstream, egress }: Config, host: string, crawlDelayMs: number | null): number {
  if (host === NO_HOST) return 0;
  const github = [upstream.githubApiUrl, upstream.githubRawUrl, upstream.githubWebUrl];
  if (github.some((url) => new URL(url).host === host)) return 0;
  if (new URL(upstream.itunesUrl).host === host) return STORE_DELAYS * egress.hostDelayMs;
  return Math.max(egress.hostDelayMs, crawlDelayMs ?? 0);
}
