// Error texts that a model can act on: what was wrong, what is allowed and what to use instead.
import { ENTITY_TYPES, type EntityType } from '../contract/enums.ts';
import type { ApiError } from '../contract/errors.ts';
import { bullets, lines } from './markdown.ts';
import type { NearName } from './nearest-names.ts';
import { inline } from './quoting.ts';
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

const MOST_CANDIDATES = 5;

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
  const shown = candidates.slice(0, MOST_CANDIDATES);
  const named = shown.map(({ orgSlug, id }) => (orgSlug === null ? id : `${orgSlug}/${inline(slug)} (${id})`));
  const rest = candidates.length > shown.length ? ` (${candidates.length - shown.length} more)` : '';
  return `Use one of these instead${rest}:\n${bullets(named)}`;
}
