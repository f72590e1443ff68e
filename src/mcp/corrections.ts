// Error texts that a model can act on: what was wrong, what is allowed and what to use instead.
import { ENTITY_TYPES, type EntityType } from '../contract/enums.ts';
import type { ApiError } from '../contract/errors.ts';
import { isWithinEdits } from '../domain/entity-names/entity-names.ts';
import { bullets, lines } from './markdown.ts';
import { inline } from './quoting.ts';
import { type EntityReference, parseReference } from './references.ts';
import type { RegistryApi } from './registry-api.ts';
import { scopedName } from './shapes.ts';
import type { Arguments } from './tool.ts';

interface ErrorDetails {
  entity?: string;
  value?: string;
  candidates?: readonly { orgSlug: string | null; id: string }[];
  slug?: string;
}

// The details of an error, whose fields the contract defines for each code.
function detailsOf({ details }: ApiError): ErrorDetails {
  return (details ?? {}) as ErrorDetails;
}

const MAX_CANDIDATES = 5;

// The entity whose name was not found, as the caller spelled it; null where nearest names would not help.
export function missingEntity(error: ApiError, given: Arguments = {}): { entity: EntityType; value: string } | null {
  const { entity: name, value } = detailsOf(error);
  const entity = ENTITY_TYPES.find((each) => each === name);
  if (error.code !== 'not_found' || value === undefined || entity === undefined) return null;
  const spelled = given[entity];
  return { entity, value: typeof spelled === 'string' ? spelled : value };
}

const SEARCH_FIRST = 'The search tool finds names; list_orgs lists organizations.';

const ADVICE: Record<string, string> = {
  release: 'search and latest_releases tell the ids of releases.',
  changelog_file: 'get_source lists the changelog files of a source; sources without one have releases alone.',
};

export function correction(error: ApiError, nearest: readonly NearName[] = []): string {
  const details = detailsOf(error);
  switch (error.type) {
    case 'not_found':
      return lines(sentence(error), nameList(nearest) || (ADVICE[details.entity ?? ''] ?? SEARCH_FIRST));
    case 'conflict':
      return lines(sentence(error), candidateList(details));
    case 'rate_limited':
      return `${sentence(error)} Wait ${error.headers['Retry-After'] ?? '60'} seconds before the next call.`;
    case 'unauthorized':
    case 'forbidden':
    case 'insufficient_scope':
      return `${sentence(error)} The server refuses the credential of this connection; reads need none.`;
    case 'unavailable':
    case 'upstream':
      return `${sentence(error)} The call may succeed in ${error.headers['Retry-After'] ?? 'a few'} seconds.`;
    default:
      return sentence(error);
  }
}

// What a caller does who has no account here, or whose app may not change it.
export function signInAdvice(error: ApiError): string {
  if (error.type === 'insufficient_scope') {
    return `${sentence(error)} Connect again and ask for the OAuth scope \`account\`.`;
  }
  if (error.type !== 'unauthorized' && error.type !== 'forbidden') return correction(error);
  return 'Error: this tool needs an account of the registry. Sign in: over HTTP, connect with OAuth (scopes `read` and `account`) or send `Authorization: Bearer <key>` with a key from the account page; over standard input and output, set REGISTRY_API_KEY to such a key. All other tools work without an account.';
}

function sentence({ message }: ApiError): string {
  const text = inline(message);
  return `Error: ${/[.!?…]$/.test(text) ? text : `${text}.`}`;
}

function nameList(nearest: readonly NearName[]): string {
  if (nearest.length === 0) return '';
  const named = nearest.map(
    ({ use, name, id }) => `${use} (${[inline(name), id !== use && id].filter(Boolean).join(', ')})`,
  );
  return `Nearest names:\n${bullets(named)}`;
}

function candidateList({ candidates = [], slug = '' }: ErrorDetails): string {
  if (candidates.length === 0) return '';
  const shown = candidates.slice(0, MAX_CANDIDATES);
  const named = shown.map(({ orgSlug, id }) => (orgSlug === null ? id : `${orgSlug}/${inline(slug)} (${id})`));
  const rest = candidates.length > shown.length ? ` (${candidates.length - shown.length} more)` : '';
  return `Use one of these instead${rest}:\n${bullets(named)}`;
}

// Finds names close to an unknown one, each with the argument to pass instead.

export interface NearName {
  // The value to use as the argument.
  use: string;
  name: string;
  id: string | null;
}

const MAX_NAMES = 5;
const MAX_EDITS = 3;
const PREFIX = 3;
const MAX_ASKED_LENGTH = 200;

// Candidates in the order in which they were found; those that are spelled alike come first.
export function rankNames(requested: string, candidates: readonly NearName[]): NearName[] {
  const wanted = requested.toLowerCase();
  const distance = ({ use, name }: NearName) => {
    const spellings = [use, use.split('/').at(-1) ?? use, name].map((each) => each.toLowerCase());
    return spellings.includes(wanted) ? 0 : spellings.some((each) => isWithinEdits(each, wanted, MAX_EDITS)) ? 1 : 2;
  };
  const unique = [...new Map(candidates.map((each) => [each.use, each])).values()];
  return unique.sort((a, b) => distance(a) - distance(b)).slice(0, MAX_NAMES);
}

export async function nearestNames(api: RegistryApi, entity: EntityType, value: string): Promise<NearName[]> {
  const reference = referenceOf(entity, value);
  const requested = reference.by === 'id' ? value : reference.slug;
  const [inOrg, found] = await Promise.all([ofOrg(api, entity, reference), bySearch(api, entity, requested)]);
  return rankNames(requested, [...inOrg, ...found]);
}

function referenceOf(entity: EntityType, value: string): EntityReference {
  if (entity === 'org' || entity === 'collection') return { by: 'slug', slug: value };
  return parseReference(entity, value);
}

async function bySearch(api: RegistryApi, entity: EntityType, requested: string): Promise<NearName[]> {
  const q = requested
    .slice(0, MAX_ASKED_LENGTH)
    .replaceAll(/[-_./]+/g, ' ')
    .trim();
  if (q === '') return [];
  const answer = await api.get('/search', { query: { q, mode: 'lexical', limit: 1, include_empty: true } });
  switch (entity) {
    case 'org':
      return [
        ...answer.orgs.map(({ id, slug, name }) => ({ use: slug, name, id })),
        ...(await likeSlug(api, requested)),
      ];
    case 'collection':
      return answer.collections.map(({ slug, name }) => ({ use: slug, name, id: null }));
    case 'product':
      return answer.catalog.filter(({ entryType }) => entryType === 'product').map(scoped);
    case 'source':
      return answer.sources.map(scoped);
  }
}

// Orgs with a similar slug. Search finds misspelled whole names, but a slug is often only the first word of a name.
async function likeSlug(api: RegistryApi, requested: string): Promise<NearName[]> {
  const wanted = requested.toLowerCase();
  const query = { q: wanted.slice(0, PREFIX), includeEmpty: true, limit: 100 };
  const { items } = await api.get('/orgs', { query });
  return items
    .filter(({ slug }) => isWithinEdits(slug, wanted, MAX_EDITS))
    .map(({ id, slug, name }) => ({ use: slug, name, id }));
}

// The products or sources of the named org, because most mistakes are in the second half of org/slug.
async function ofOrg(api: RegistryApi, entity: EntityType, reference: EntityReference): Promise<NearName[]> {
  if (reference.by !== 'path' || (entity !== 'product' && entity !== 'source')) return [];
  const params = { org: reference.org };
  const catalog = await api.get('/orgs/{org}/catalog', { params, query: { entryType: entity } }).catch(() => null);
  return catalog === null ? [] : catalog.items.map((item) => scoped({ ...item, orgSlug: catalog.org.slug }));
}

function scoped(hit: { id: string; slug: string; name: string; orgSlug: string | null }): NearName {
  return { use: scopedName(hit.orgSlug, hit), name: hit.name, id: hit.id };
}
