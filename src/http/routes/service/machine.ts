// What machines read about the API itself.
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { manifest } from '../../../contract/manifest.ts';
import { Reply } from '../../kernel/reply.ts';
import { type RouteDeclaration, route } from '../../kernel/route.ts';
import { createOpenApi, type OpenApiDocument } from '../../openapi/document.ts';

const apiIndex = z
  .object({
    name: z.string(),
    version: z.literal('v1').describe('Version of the API.'),
    description: z.string(),
    links: z
      .object({
        openapi: z.string().describe('The OpenAPI document.'),
        docs: z.string().describe('The reference for people.'),
        catalog: z.string().describe('The API catalog of the host.'),
        web: z.string().describe('The pages of the registry.'),
        health: z.string().describe('The health check.'),
      })
      .describe('Where to go from here.'),
  })
  .meta({ id: 'ApiIndex' });

export function indexBody({ baseUrl, webUrl, siteName }: Config): z.infer<typeof apiIndex> {
  return {
    name: siteName,
    version: 'v1',
    description: 'A public registry and index of software changelogs.',
    links: {
      openapi: `${baseUrl}/v1/openapi.json`,
      docs: `${baseUrl}/v1/docs`,
      catalog: `${baseUrl}/.well-known/api-catalog`,
      web: webUrl,
      health: `${baseUrl}/health`,
    },
  };
}

// The index, the description and the page made of it describe themselves, too.
export function describedRoutes(
  { config }: Context,
  routes: readonly RouteDeclaration[],
  docs: (document: () => Promise<OpenApiDocument>) => RouteDeclaration,
): RouteDeclaration[] {
  // Made when it is first asked for: the service is ready without it.
  let made: Promise<OpenApiDocument> | null = null;
  const document = () => {
    made ??= createOpenApi(config, all);
    return made;
  };
  const link = `<${config.baseUrl}/v1/openapi.json>; rel="service-desc"; type="application/openapi+json"`;
  const index = route({
    method: 'GET',
    path: '',
    summary: 'Index of the API',
    description: 'Name, version and the addresses of the description, the reference and the health check.',
    tag: 'Machine descriptions',
    access: 'public',
    answers: { 200: apiIndex },
    run: async () => new Reply(200, indexBody(config), { Link: link }),
  });
  const openapi = route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'The document that describes every call, made from the schemas that check requests and answers.',
    tag: 'Machine descriptions',
    access: 'public',
    answers: { 200: z.looseObject({ openapi: z.string().describe('Version of OpenAPI.') }) },
    cache: [3600, 300],
    run: () => document(),
  });
  const all = [...routes, index, openapi, docs(document)];
  return all;
}

export function catalogRoutes({ config }: Context): RouteDeclaration[] {
  const { baseUrl } = config;
  const catalog = route({
    method: 'GET',
    path: '/.well-known/api-catalog',
    summary: 'The APIs of this host',
    tag: 'Machine descriptions',
    access: 'public',
    answers: { 200: z.object({ linkset: z.array(z.looseObject({ anchor: z.string() })) }) },
    run: async () =>
      new Reply(200, JSON.stringify({ linkset: linkset(baseUrl) }), {
        'Content-Type': 'application/linkset+json',
        'Cache-Control': 'public, max-age=3600',
        Link: `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
      }),
  });
  const schemaText = JSON.stringify(manifestSchema(baseUrl));
  const schema = route({
    method: 'GET',
    path: '/schemas/releases-v2.json',
    summary: 'JSON Schema of the domain manifest',
    tag: 'Machine descriptions',
    access: 'public',
    answers: { 200: z.looseObject({}) },
    run: async () =>
      new Reply(200, schemaText, {
        'Content-Type': 'application/schema+json',
        'Cache-Control': 'public, max-age=86400',
      }),
  });
  return [catalog, schema];
}

function linkset(baseUrl: string): Record<string, unknown>[] {
  const status = [{ href: `${baseUrl}/health` }];
  const doc = [{ href: `${baseUrl}/v1/docs`, type: 'text/html' }];
  return [
    {
      anchor: `${baseUrl}/v1`,
      'service-desc': [{ href: `${baseUrl}/v1/openapi.json`, type: 'application/openapi+json' }],
      'service-doc': doc,
      status,
    },
    {
      anchor: `${baseUrl}/mcp`,
      'service-desc': [{ href: `${baseUrl}/mcp`, type: 'application/json' }],
      'service-doc': doc,
      status,
    },
    {
      anchor: `${baseUrl}/api/auth`,
      'service-desc': [{ href: `${baseUrl}/.well-known/oauth-authorization-server`, type: 'application/json' }],
      'service-doc': doc,
      status,
    },
  ];
}

function manifestSchema(baseUrl: string): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(manifest, { io: 'input' });
  return { $schema, $id: `${baseUrl}/schemas/releases-v2.json`, title: 'Domain manifest, version 2', ...schema };
}
