// npm and registries that speak like it. The short document says which versions there are; the full one, which may be a
// hundred times as long, is read when a version is new, because it alone has dates and the description.
import type { PackageListing } from '../../../domain/published-package.ts';
import type { NpmDocument } from '../../../domain/registries/npm-document.ts';
import type { ListingValidators } from '../../../store/schema/packages.ts';
import { NPM_DOCUMENT } from '../../../threads/registry-documents.ts';
import type { ListingAnswer, ListingFailure, PackageRequest, RegistryAdapter, RegistryContext } from '../contract.ts';
import { fetchDocument, readDocument, unreadable } from '../documents.ts';

const SHORT = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';
const FULL = 'application/json';

export const NPM: RegistryAdapter = { listVersions };

async function listVersions(ctx: RegistryContext, request: PackageRequest): Promise<ListingAnswer> {
  const short = await ask(ctx, request, { accept: SHORT, validators: request.validators });
  if (short.kind === 'unchanged' || short.kind === 'unpublished') return short;
  // A package that was taken back has no short document.
  if (short.kind === 'failure') {
    const full = short.outcome === 'not_found' ? await ask(ctx, request, { accept: FULL, validators: null }) : short;
    return full.kind === 'unpublished' ? full : short;
  }
  const { document, validators } = short;
  const isWhole = request.hasFacts && (await isDated(request, document));
  if (document.hasTimes || isWhole) return listed(request, { document, validators, remark: null });
  const full = await ask(ctx, request, { accept: FULL, validators: null });
  if (full.kind !== 'read') {
    // Asked too often, the whole package waits; what is too large or unreadable leaves the versions without dates.
    if (full.kind === 'failure' && full.outcome === 'rate_limited') return full;
    const why = full.kind === 'failure' ? full.reason : full.kind;
    return listed(request, { document, validators, remark: `no dates and no description: ${why}` });
  }
  return listed(request, { document: withTimes(document, full.document), validators, remark: null });
}

async function isDated({ dated }: PackageRequest, { versions }: NpmDocument): Promise<boolean> {
  const known = await dated();
  return versions.every(({ version }) => known.has(version));
}

interface ReadAnswer {
  kind: 'read';
  document: NpmDocument;
  validators: ListingValidators;
}

async function ask(
  ctx: RegistryContext,
  { registry, spelling }: PackageRequest,
  { accept, validators }: { accept: string; validators: ListingValidators | null },
): Promise<ReadAnswer | { kind: 'unchanged' } | { kind: 'unpublished' } | ListingFailure> {
  const url = `${registry.url}/${encodeURIComponent(spelling).replace(/^%40/, '@')}`;
  const answer = await fetchDocument(ctx, { registry, url, accept, validators });
  if (answer.kind !== 'document') return answer;
  const document = await readDocument(NPM_DOCUMENT, answer.body, { now: ctx.now.getTime() });
  if (document.kind === 'failure') return document;
  if (document.kind === 'fault') return unreadable(document.reason);
  if (document.name !== spelling) return unreadable('the answer is about another package');
  return document.kind === 'unpublished'
    ? { kind: 'unpublished' }
    : { kind: 'read', document, validators: answer.validators };
}

// The short document is the newer one where the two differ: the full one is kept longer by caches.
function withTimes(short: NpmDocument, full: NpmDocument): NpmDocument {
  const times = new Map(full.versions.map(({ version, publishedAt }) => [version, publishedAt]));
  const versions = short.versions.map((one) => ({ ...one, publishedAt: times.get(one.version) ?? null }));
  return { ...full, latest: short.latest, tags: short.tags, versions };
}

function listed(
  { registry, spelling }: PackageRequest,
  { document, validators, remark }: { document: NpmDocument; validators: ListingValidators; remark: string | null },
): ListingAnswer {
  const { latest, tags, repository, homepage, facts, versions, isDescribed } = document;
  const listing: PackageListing = {
    ecosystem: 'npm',
    spelling,
    registry: registry.scope,
    latest,
    tags,
    repository,
    homepage,
    facts,
    versions,
  };
  return { kind: 'listing', listing, validators, described: isDescribed, remark };
}
