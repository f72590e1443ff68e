// The Python package index: one document has versions, times, yanked files and the project's addresses.
import { normalizePackageName } from '../../../domain/published-package.ts';
import { PYPI_DOCUMENT } from '../../../threads/registry-documents.ts';
import type { ListingAnswer, PackageRequest, RegistryAdapter, RegistryContext } from '../contract.ts';
import { fetchDocument, readDocument, unreadable } from '../documents.ts';

export const PYPI: RegistryAdapter = { listVersions };

async function listVersions(ctx: RegistryContext, request: PackageRequest): Promise<ListingAnswer> {
  const { registry, validators } = request;
  const name = normalizePackageName('pypi', request.spelling);
  const url = `${registry.url}/pypi/${encodeURIComponent(name)}/json`;
  const answer = await fetchDocument(ctx, { registry, url, accept: 'application/json', validators });
  if (answer.kind !== 'document') return answer;
  const document = await readDocument(PYPI_DOCUMENT, answer.body, { now: ctx.now.getTime() });
  if (document.kind === 'failure') return document;
  if (document.kind === 'fault') return unreadable(document.reason);
  if (normalizePackageName('pypi', document.name) !== name) return unreadable('the answer is about another package');
  const { name: spelling, latest, repository, homepage, facts, versions } = document;
  const listing = {
    ecosystem: 'pypi' as const,
    spelling,
    registry: registry.scope,
    latest,
    repository,
    homepage,
    facts,
    versions,
  };
  return { kind: 'listing', listing, validators: answer.validators, described: true, remark: null };
}
