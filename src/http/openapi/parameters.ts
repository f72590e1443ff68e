// The path, query and header parameters of an operation.
import type { JsonSchema, QueryParameter } from '../../contract/query.ts';
import { sampleId } from '../../contract/scalars.ts';
import { ECOSYSTEMS, factsOfEcosystem } from '../../domain/ecosystems/index.ts';
import type { RouteDeclaration } from '../kernel/route.ts';

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  // A value for the examples of calls, of everything that they must give.
  example?: unknown;
  schema: JsonSchema;
}

// The path of a route from the root of the server.
export function describedPath({ path, isRoot }: Pick<RouteDeclaration, 'path' | 'isRoot'>): string {
  return `${isRoot ? '/bots' : '/v1'}${path}`;
}

export function parametersOf(route: RouteDeclaration): Parameter[] {
  return [...pathParameters(route.path), ...queryParameters(route), ...headerParameters(route)];
}

function pathParameters(path: string): Parameter[] {
  const segments = path.split('/').map((segment) => segment.replace(/^\{(.+)\}$/, '$1'));
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...pathParameter(name, segments[segments.indexOf(name) - 1] ?? ''),
    schema: { type: 'string' },
  }));
}

interface QueryMeta {
  param?: QueryParameter;
  description?: string;
  example?: string;
}

function queryParameters({ query }: RouteDeclaration): Parameter[] {
  return Object.entries(query ?? {}).map(([name, schema]) => {
    const { param, ...words } = (schema as { meta?: () => QueryMeta | undefined }).meta?.() ?? {};
    const { required = false, ...form }: QueryParameter = param ?? { type: 'string' };
    return { name, in: 'query', required, ...words, schema: form };
  });
}

function headerParameters({ method, reads, live }: RouteDeclaration): Parameter[] {
  if (live) {
    const description = 'The last event that was received; those after it are sent first.';
    return [{ name: 'Last-Event-ID', in: 'header', required: false, description, schema: { type: 'string' } }];
  }
  if (method !== 'POST' || reads) return [];
  const description = 'Repeating the call with the same key and body has no further effect for 24 hours.';
  const schema = { type: 'string', minLength: 16, maxLength: 255 };
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
}

// What the parameters of paths mean. A key may be narrowed by the segment before the parameter (`tags/slug`).

const PATH_PARAMETERS: Record<string, { description: string; example: string }> = {
  org: { description: 'Slug, org_ id, primary domain or alias domain of an organization.', example: 'acme' },
  src: { description: 'src_ id of a source.', example: sampleId('src') },
  source: { description: 'Slug or src_ id of a source of the organization.', example: 'acme-cli' },
  prod: { description: 'prod_ id of a product.', example: sampleId('prod') },
  product: { description: 'Slug or prod_ id of a product of the organization.', example: 'acme-cli' },
  rel: { description: 'rel_ id of a release; text after a hyphen is ignored.', example: sampleId('rel') },
  col: { description: 'Slug or col_ id of a collection.', example: 'build-tools' },
  pkg: { description: 'pkg_ id of an entry of the package map.', example: sampleId('pkg') },
  'packages/ecosystem': {
    description: `Package registry of the name: ${ECOSYSTEMS.join(' or ')}.`,
    example: ECOSYSTEMS[0],
  },
  'ecosystem/name': {
    description: 'Name of the package; the slash of a scoped name is percent-encoded.',
    example: 'acme-cli',
  },
  'ecosystem/scope': { description: 'Scope of an npm package with its `@`.', example: '@acme' },
  datasource: {
    description: `Datasource of Renovate: ${ECOSYSTEMS.map((one) => factsOfEcosystem(one).datasource).join(' or ')}; any other is answered neutral.`,
    example: ECOSYSTEMS[0],
  },
  package: {
    description: 'Name of the package; the slash of a scoped name is percent-encoded, or it is two segments.',
    example: '@acme/cli',
  },
  'renovate/ecosystem': {
    description: `Package registry of the name: ${ECOSYSTEMS.join(' or ')}.`,
    example: ECOSYSTEMS[0],
  },
  from: { description: 'Installed version.', example: '1.0.0' },
  to: { description: 'Version of the update.', example: '2.0.0' },
  'scope/name': { description: 'Name of the package without its scope.', example: 'cli' },
  'readings/id': {
    description: 'Id of a reading, from `reading.id` of an answer.',
    example: 'rdg_cAfyUNJ2VtWq4tOZoUNyGf',
  },
  'reports/id': {
    description: 'Id of a report, from the answer that made it or from its address.',
    example: '8kQm2xW7nQbXA9vY1mJm3T',
  },
  'stacks/name': { description: 'Name of the stack: letters, digits and dashes.', example: 'web-shop' },
  deliveryId: { description: 'dlv_ id of a webhook delivery.', example: sampleId('dlv') },
  domain: { description: 'Domain without scheme, for example acme.example.', example: 'acme.example' },
  platform: { description: 'Name of the platform, for example github.', example: 'github' },
  handle: { description: 'Handle of the account on the platform.', example: 'acme' },
  host: {
    description: 'The host with its port, as the list of waiting hosts spells it, percent-encoded.',
    example: 'hooks.acme.example',
  },
  scope: {
    description: 'Scope of npm packages with its `@`, for example @acme; percent-encoded or plain.',
    example: '@acme',
  },
  pattern: { description: 'The blocked address or domain, percent-encoded.', example: 'https://acme.example/jobs' },
  url: { description: 'The ignored address, percent-encoded.', example: 'https://acme.example/changelog' },
  token: {
    description: 'Secret of the private feed, with or without `.atom` at its end.',
    example: 'relf_4Yt8QmZ1KdXwRv2BnYc8LhA7',
  },
  file: { description: 'Name of the file.', example: 'CHANGELOG.md' },
  group: {
    description: 'Group of calls in lower case with hyphens, for example account-webhooks.',
    example: 'releases',
  },
  schema: { description: 'Name of a schema of the OpenAPI document, for example Error.', example: 'Error' },
  'categories/slug': { description: 'Slug of a category, or one of its aliases.', example: 'devops' },
  'tags/slug': { description: 'Slug of a tag.', example: 'open-source' },
  'resolve/slug': { description: 'Slug of a product or source of the organization.', example: 'acme-cli' },
  'follows/type': { description: 'What is followed: org, product or package.', example: 'org' },
  'type/id': { description: 'Id of the followed organization or product.', example: sampleId('org') },
  'webhooks/id': { description: 'whk_ id of a webhook.', example: sampleId('whk') },
  'api-keys/id': { description: 'Id of an API key of the account.', example: 'k3J9vQ2mXz81LrTn' },
  'tokens/id': { description: 'tok_ id of a machine token.', example: sampleId('tok') },
  'clients/id': { description: 'Client id of an OAuth app.', example: 'fK2mQx8vRt' },
  'feedback/id': { description: 'fb_ id of a feedback message.', example: sampleId('fb') },
  'recommendations/id': { description: 'rec_ id of a recommendation.', example: sampleId('rec') },
};

// `before` is the segment of the path in front of the parameter, without braces.
function pathParameter(name: string, before: string) {
  return PATH_PARAMETERS[`${before}/${name}`] ?? PATH_PARAMETERS[name];
}
