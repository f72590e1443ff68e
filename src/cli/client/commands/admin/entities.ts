// What the operator commands for orgs, products, sources and collections share: arguments and deletion.
import type { Argument, Command, Flag } from '../../../command.ts';
import { type Api, path } from '../../api.ts';
import { operatorCommand, switches } from '../../operator-command.ts';
import { orgName, parseReference } from '../../references.ts';

type CatalogEntity = 'org' | 'product' | 'source';

export const ORG: Argument = { name: 'org', help: 'slug, id or domain of the org', complete: 'org' };
export const SOURCE: Argument = { name: 'source', help: 'org/slug or id of the source', complete: 'source' };

const HARD = {
  hard: { type: 'boolean', help: 'for good, with everything below it; cannot be restored' },
} satisfies Record<string, Flag>;

// A hard deletion takes only ids; the id of a row that is already deleted is passed on unchanged.
export async function orgIdOf(api: Api, text: string): Promise<string> {
  const reference = parseReference(text, api.server);
  if (reference.by === 'id') return reference.id;
  return (await api.get<{ id: string }>(path`/v1/orgs/${orgName(text, api.server)}`)).id;
}

interface DeletedEntity {
  entity: CatalogEntity;
  argument: Argument;
  idOf(api: Api, text: string): Promise<string>;
}

export function deletion({ entity, argument, idOf }: DeletedEntity): Command {
  return operatorCommand({
    name: `admin ${entity} delete`,
    summary: `Delete ${entity === 'org' ? 'an org with its products and sources' : `a ${entity}`}; it can be restored for 30 days`,
    arguments: [argument],
    flags: HARD,
    question: ({ args, flags }) => `Delete ${args[entity]}${flags.hard ? ' for good' : ''}?`,
    examples: [`registry admin ${entity} delete ${entity === 'org' ? 'acme' : 'acme/cli'} --yes`],
    call: async ({ args, api, flags }) => ({
      method: 'DELETE',
      path: path`/v1/${`${entity}s`}/${await idOf(api, args[entity] ?? '')}`,
      query: switches(flags, 'hard'),
    }),
    done: ({ args, flags }) => `deleted ${args[entity]}${flags.hard ? ' for good' : ''}`,
  });
}

export function restoration(entity: CatalogEntity): Command {
  return operatorCommand({
    name: `admin ${entity} restore`,
    summary: `Bring a deleted ${entity} back`,
    arguments: [{ name: 'id', help: `id of the ${entity}` }],
    examples: [`registry admin ${entity} restore ${{ org: 'org', product: 'prod', source: 'src' }[entity]}_…`],
    call: ({ args }) => ({ method: 'POST', path: path`/v1/${`${entity}s`}/${args.id ?? ''}/restore`, body: {} }),
  });
}
