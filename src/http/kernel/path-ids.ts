// Checks the ids in the path of a request: an id of the wrong kind is refused before any query.
import { ApiError, notFound } from '../../contract/errors.ts';
import { idPrefixOf, isId, releaseIdOf, toProductId } from '../../domain/ids.ts';

export function checkPathIds(params: Record<string, string>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) checked[name] = checkPathId(name, value);
  return checked;
}

function checkPathId(name: string, value: string): string {
  switch (name) {
    case 'src':
      // `org/source`, with its slash encoded, names one source as lists print it.
      if (/^[^/]+\/[^/]+$/.test(value)) return value;
      return typedId('source', 'src', value);
    case 'prod':
      return typedId('product', 'prod', toProductId(value));
    case 'product':
      return toProductId(value);
    case 'rel': {
      const id = releaseIdOf(value);
      if (id === null) throw notFound('release', value);
      return id;
    }
    default:
      return value;
  }
}

function typedId(entity: 'source' | 'product', prefix: 'src' | 'prod', value: string): string {
  if (isId(value, prefix)) return value;
  if (idPrefixOf(value) === prefix) throw notFound(entity, value);
  const hint = `/v1/lookups/${entity}-by-slug?slug=${encodeURIComponent(value)}`;
  throw new ApiError('bare_slug_rejected', `a slug does not name one ${entity}; use its id or ${hint}`, {
    entity,
    hint,
  });
}
