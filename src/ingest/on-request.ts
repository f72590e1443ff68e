// What a caller has fetched while waiting. The web server loads it with the first such request: it is a tenth of all modules, and
// most servers are never asked.
export { toolsOf } from './adapters/adapter-context.ts';
export { withProofs } from './adapters/probe.ts';
export { evaluateUrl } from './evaluate/evaluate.ts';
export { probeChangelog } from './evaluate/probe-changelog.ts';
export { lookUp } from './lookups/look-up.ts';
export { withLookups } from './lookups/outside.ts';
export { promoteStub } from './manifests/promote.ts';
export { stubFromDomain } from './manifests/stub-from-domain.ts';
export { syncManifest } from './manifests/sync.ts';
export { enqueueFetch, flagSource, runOrdered } from './pipeline/fetch-now.ts';
export { readNow } from './registries/read-now.ts';
