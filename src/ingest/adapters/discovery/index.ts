// From a page to its feed, its provider and its markdown. Start at `discover.ts`.
export { type DiscoveredFeed, discoverFeed, type InspectedPage, inspectPage, probeFeed } from './discover.ts';
export { detectProvider, markdownVariant, type Provider } from './providers.ts';
export { isRediscoveryDue, type Rediscovery, rediscoverFeed } from './rediscover.ts';
export { articlesAddress, fetchZendesk } from './zendesk.ts';
