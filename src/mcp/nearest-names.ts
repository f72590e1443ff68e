// Finds names close to an unknown one, each with the argument to pass instead.
import type { EntityType } from '../contract/enums.ts';
import { isWithinEdits } from '../domain/entity-names/edit-distance.ts';
import { type EntityReference, parseReference } from './references.ts';
import type { RegistryApi } from './registry-api.ts';
import { scopedName } from './shapes.ts';

export interface NearName {
  // The value to use as the argument.
  use: string;
  name: string;
  id: string | null;
}

const MOST_NAMES = 5;
const MOST_EDITS = 3;
const PREFIX = 3;
const LONGEST_ASKED = 200;

// Candidates in the order in which they were found; those that are spelled alike come first.
export function rankNames(requested: string, candidates: readonly NearName[]): NearName[] {
  const wanted = requested.toLowerCase();
  const distance = ({ use, name }: NearName) => {
    const spellings = [use, use.split('/').at(-1) ?? use, name].map((each) => each.toLowerCase());
    return spellings.includes(wanted) ? 0 : spellings.some((each) => isWithinEdits(each, wanted, MOST_EDITS)) ? 1 : 2;
  };
  const unique = [...new Map(candidates.map((each) => [each.use, each])).values()];
  return unique.sort((a, b) => distance(a) - distance(b)).slice(0, MOST_NAMES);
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
    .slice(0, LONGEST_ASKED)
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
    .filter(({ slug }) => isWithinEdits(slug, wanted, MOST_EDITS))
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
