// Operators: orgs, products, sources and collections.
import type { FETCH_PRIORITIES, KINDS } from '../../../contract/enums.ts';
import { type Argument, type Flag, UsageError } from '../../command.ts';
import { type Api, path } from '../api.ts';
import type { Session } from '../client-command.ts';
import { bodyField, changeOf, operatorCommand, switches } from '../operator-command.ts';
import { byIdOrSlug, orgName, parseReference, productIdOf, sourceIdOf, sourcePath } from '../references.ts';

const ORG: Argument = { name: 'org', help: 'slug, id or domain of the org', complete: 'org' };
const PRODUCT: Argument = { name: 'product', help: 'org/slug or id of the product' };
const SOURCE: Argument = { name: 'source', help: 'org/slug or id of the source', complete: 'source' };
const COLLECTION: Argument = { name: 'collection', help: 'slug or id of the collection' };

const KIND_NAMES: readonly (typeof KINDS)[number][] = [
  'platform',
  'sdk',
  'mobile',
  'desktop',
  'docs',
  'integration',
  'tool',
];
const PRIORITIES: readonly (typeof FETCH_PRIORITIES)[number][] = ['normal', 'low', 'paused'];

const HARD = {
  hard: { type: 'boolean', help: 'for good, with everything below it; cannot be restored' },
} satisfies Record<string, Flag>;
const DRY_RUN = { 'dry-run': { type: 'boolean', help: 'show what would be done, and do nothing' } } satisfies Record<
  string,
  Flag
>;

const SLUG = bodyField('slug', 'text', 'slug; else made from the name');
const DESCRIPTION = bodyField('description', 'text', 'what it is');
const CATEGORY = bodyField('category', 'text', 'category or one of its aliases');
const AVATAR = bodyField('avatarUrl', 'text', 'https address of a picture');
const TAGS = bodyField('tags', 'list', 'tags; an edit replaces them all');
const ALIASES = bodyField('aliases', 'list', 'further domains; an edit replaces them all');
const HIDDEN = bodyField('isHidden', 'switch', 'not shown to the public', { flag: 'hidden' });
const KIND = bodyField('kind', 'text', 'kind', { choices: KIND_NAMES });
const NAME = bodyField('name', 'text', 'another name');

const ORG_FIELDS = [
  bodyField('domain', 'text', 'domain of the org'),
  DESCRIPTION,
  CATEGORY,
  AVATAR,
  TAGS,
  ALIASES,
  bodyField('featured', 'switch', 'shown first'),
  HIDDEN,
  bodyField('fetchPaused', 'switch', 'fetch none of its sources'),
];
const PRODUCT_FIELDS = [
  bodyField('url', 'text', 'page of the product'),
  DESCRIPTION,
  CATEGORY,
  KIND,
  AVATAR,
  TAGS,
  ALIASES,
  HIDDEN,
];
const SOURCE_FIELDS = [
  bodyField('url', 'text', 'address of the source'),
  bodyField('type', 'text', 'type: github, feed, scrape, …'),
  KIND,
  bodyField('isPrimary', 'switch', 'the main source of its product or org', { flag: 'primary' }),
  HIDDEN,
  bodyField('fetchPriority', 'text', 'how often it is fetched', { choices: PRIORITIES }),
];

const orgPath = ({ args, api }: Session) => path`/v1/orgs/${orgName(args.org ?? '', api.server)}`;
const productPath = async ({ args, api }: Session) => path`/v1/products/${await productIdOf(api, args.product ?? '')}`;

// A final deletion takes typed ids only; one of a row that is already deleted is given as it is.
async function orgIdOf(api: Api, text: string): Promise<string> {
  const reference = parseReference(text, api.server);
  if (reference.by === 'id') return reference.id;
  return (await api.get<{ id: string }>(path`/v1/orgs/${orgName(text, api.server)}`)).id;
}

function deletion(
  entity: 'org' | 'product' | 'source',
  argument: Argument,
  idOf: (api: Api, text: string) => Promise<string>,
) {
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

function restoration(entity: 'org' | 'product' | 'source') {
  return operatorCommand({
    name: `admin ${entity} restore`,
    summary: `Bring a deleted ${entity} back`,
    arguments: [{ name: 'id', help: `id of the ${entity}` }],
    examples: [`registry admin ${entity} restore ${{ org: 'org', product: 'prod', source: 'src' }[entity]}_…`],
    call: ({ args }) => ({ method: 'POST', path: path`/v1/${`${entity}s`}/${args.id ?? ''}/restore`, body: {} }),
  });
}

const orgCommands = [
  operatorCommand({
    name: 'admin org create',
    summary: 'Create an org',
    arguments: [{ name: 'name', help: 'name of the org' }],
    fields: [SLUG, ...ORG_FIELDS],
    examples: ['registry admin org create Acme --domain acme.example --category cloud'],
    call: ({ args }, body) => ({ method: 'POST', path: '/v1/orgs', body: { ...body, name: args.name } }),
  }),
  operatorCommand({
    name: 'admin org edit',
    summary: 'Change an org',
    arguments: [ORG],
    fields: [NAME, SLUG, ...ORG_FIELDS],
    clears: ['domain', 'description', 'category', 'avatarUrl', 'notice', 'trackingRequestedAt'],
    examples: ['registry admin org edit acme --description "Makes tools"', 'registry admin org edit acme --hidden'],
    call: (session, body) => ({ method: 'PATCH', path: orgPath(session), body: changeOf(body) }),
  }),
  deletion('org', ORG, orgIdOf),
  restoration('org'),
  operatorCommand({
    name: 'admin org dependents',
    summary: 'How much a final deletion of an org would take along',
    arguments: [ORG],
    examples: ['registry admin org dependents acme'],
    call: ({ args, api }) => ({ path: path`/v1/admin/orgs/${orgName(args.org ?? '', api.server)}/dependents` }),
  }),
  operatorCommand({
    name: 'admin org stub',
    summary: 'Create a stub from the manifest that a domain serves',
    arguments: [{ name: 'domain', help: 'domain with a manifest' }],
    flags: DRY_RUN,
    examples: ['registry admin org stub acme.example --dry-run'],
    call: ({ args, flags }) => ({
      method: 'POST',
      path: '/v1/orgs/stub-from-domain',
      query: switches(flags, 'dry-run'),
      body: { domain: args.domain },
    }),
  }),
  operatorCommand({
    name: 'admin org promote',
    summary: 'Follow a stub: its known places become sources',
    arguments: [ORG],
    flags: DRY_RUN,
    examples: ['registry admin org promote acme --dry-run'],
    call: (session) => ({
      method: 'POST',
      path: `${orgPath(session)}/promote`,
      query: switches(session.flags, 'dry-run'),
      body: {},
    }),
  }),
  operatorCommand({
    name: 'admin org sync',
    summary: 'Read the manifest of an org now',
    arguments: [ORG],
    flags: { ...DRY_RUN, confirm: { type: 'boolean', help: 'also when much would go' } },
    examples: ['registry admin org sync acme --dry-run'],
    call: (session) => ({
      method: 'POST',
      path: `${orgPath(session)}/sync-well-known`,
      query: switches(session.flags, 'dry-run', 'confirm'),
      body: {},
    }),
  }),
];

const productCommands = [
  operatorCommand({
    name: 'admin product create',
    summary: 'Create a product of an org',
    arguments: [ORG, { name: 'name', help: 'name of the product' }],
    fields: [SLUG, ...PRODUCT_FIELDS],
    examples: ['registry admin product create acme "Acme CLI" --kind tool'],
    call: ({ args }, body) => ({
      method: 'POST',
      path: '/v1/products',
      body: { ...body, ...byIdOrSlug('org', args.org ?? ''), name: args.name },
    }),
  }),
  operatorCommand({
    name: 'admin product edit',
    summary: 'Change a product',
    arguments: [PRODUCT],
    fields: [NAME, SLUG, ...PRODUCT_FIELDS],
    clears: ['url', 'description', 'category', 'kind', 'avatarUrl', 'notice'],
    examples: ['registry admin product edit acme/cli --kind sdk'],
    call: async (session, body) => ({ method: 'PATCH', path: await productPath(session), body: changeOf(body) }),
  }),
  deletion('product', PRODUCT, productIdOf),
  restoration('product'),
];

const sourceCommands = [
  operatorCommand({
    name: 'admin source create',
    summary: 'Track a source as it is given; `admin source add` looks at the address first',
    arguments: [{ name: 'url', help: 'address of the source' }],
    fields: [
      bodyField('name', 'text', 'name of the source'),
      SLUG,
      ...SOURCE_FIELDS.filter(({ name }) => name !== 'url'),
      bodyField('fetch', 'switch', 'fetch it at once'),
    ],
    flags: {
      org: { type: 'string', value: 'org', complete: 'org', help: 'org of the source; none unless given' },
      product: { type: 'string', value: 'product', help: 'product of that org' },
    },
    examples: ['registry admin source create https://github.com/acme/cli --name cli --org acme --fetch'],
    call: ({ args, flags }, body) => {
      if (body.name === undefined) throw new UsageError('--name is required');
      const owner = {
        ...(typeof flags.org === 'string' ? byIdOrSlug('org', flags.org) : {}),
        ...(typeof flags.product === 'string' ? byIdOrSlug('product', flags.product) : {}),
      };
      return { method: 'POST', path: '/v1/sources', body: { ...body, ...owner, url: args.url } };
    },
  }),
  operatorCommand({
    name: 'admin source edit',
    summary: 'Change a source',
    arguments: [SOURCE],
    fields: [NAME, SLUG, ...SOURCE_FIELDS],
    clears: ['kind', 'notice', 'productId', 'orgId', 'nextFetchAfter'],
    examples: ['registry admin source edit acme/cli --fetch-priority paused'],
    call: async ({ args, api }, body) => ({
      method: 'PATCH',
      path: await sourcePath(api, args.source ?? ''),
      body: changeOf(body),
    }),
  }),
  deletion('source', SOURCE, sourceIdOf),
  restoration('source'),
  operatorCommand({
    name: 'admin source probe',
    summary: 'Which changelog files the repository of a source has today',
    arguments: [SOURCE],
    examples: ['registry admin source probe acme/cli'],
    call: async ({ args, api }) => ({
      method: 'POST',
      path: `${await sourcePath(api, args.source ?? '')}/changelog/probe`,
      body: {},
    }),
  }),
];

const COLLECTION_FIELDS = [
  SLUG,
  DESCRIPTION,
  bodyField('isFeatured', 'switch', 'shown on the front page', { flag: 'featured' }),
];
const MEMBER: Argument = { name: 'member', help: 'org or org/product', complete: 'entity' };

const collectionCommands = [
  operatorCommand({
    name: 'admin collection create',
    summary: 'Create a collection',
    arguments: [{ name: 'name', help: 'name of the collection' }],
    fields: COLLECTION_FIELDS,
    examples: ['registry admin collection create "Build tools" --featured'],
    call: ({ args }, body) => ({ method: 'POST', path: '/v1/collections', body: { ...body, name: args.name } }),
  }),
  operatorCommand({
    name: 'admin collection edit',
    summary: 'Change a collection',
    arguments: [COLLECTION],
    fields: [NAME, ...COLLECTION_FIELDS],
    clears: ['description'],
    examples: ['registry admin collection edit build-tools --no-featured'],
    call: ({ args }, body) => ({
      method: 'PATCH',
      path: path`/v1/collections/${args.collection ?? ''}`,
      body: changeOf(body),
    }),
  }),
  operatorCommand({
    name: 'admin collection delete',
    summary: 'Delete a collection for good; its members stay',
    arguments: [COLLECTION],
    question: ({ args }) => `Delete the collection ${args.collection} for good?`,
    examples: ['registry admin collection delete build-tools --yes'],
    call: ({ args }) => ({ method: 'DELETE', path: path`/v1/collections/${args.collection ?? ''}` }),
    done: ({ args }) => `deleted ${args.collection}`,
  }),
  operatorCommand({
    name: 'admin collection add',
    summary: 'Add an org or a product to a collection',
    arguments: [COLLECTION, MEMBER],
    fields: [bodyField('position', 'number', 'place in the list; last unless given')],
    examples: ['registry admin collection add build-tools acme/cli'],
    call: async ({ args, api }, body) => ({
      method: 'POST',
      path: path`/v1/collections/${args.collection ?? ''}/members`,
      body: { ...body, ...(await memberOf(api, args.member ?? '')) },
    }),
    done: ({ args }) => `added ${args.member} to ${args.collection}`,
  }),
  operatorCommand({
    name: 'admin collection remove',
    summary: 'Take an org or a product out of a collection',
    arguments: [COLLECTION, MEMBER],
    examples: ['registry admin collection remove build-tools acme/cli'],
    call: async ({ args, api }) => {
      const { orgId, productId } = await memberOf(api, args.member ?? '');
      const members = path`/v1/collections/${args.collection ?? ''}/members`;
      return {
        method: 'DELETE',
        path: productId === undefined ? `${members}/${orgId}` : `${members}/products/${productId}`,
      };
    },
    done: ({ args }) => `removed ${args.member} from ${args.collection}`,
  }),
];

async function memberOf(api: Api, text: string): Promise<{ orgId?: string; productId?: string }> {
  const reference = parseReference(text, api.server);
  const isProduct = reference.by === 'path' || (reference.by === 'id' && reference.entity === 'product');
  return isProduct ? { productId: await productIdOf(api, text) } : { orgId: await orgIdOf(api, text) };
}

export const adminCatalogCommands = [...orgCommands, ...productCommands, ...sourceCommands, ...collectionCommands];
