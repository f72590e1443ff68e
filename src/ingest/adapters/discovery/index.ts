// From a page to its feed, its provider and its markdown. Start at `discover.ts`.
export { isRediscoveryDue, type Rediscovery, rediscoverFeed } from './rediscover.ts';
