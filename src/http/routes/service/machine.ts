// Machine-readable documents about this host: its APIs, and the schema of the domain manifest.
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { manifest } from '../../../contract/manifest.ts';
import { Reply } from '../../kernel/reply.ts';
import { type RouteDeclaration, route } from '../../kernel/route.ts';

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
  // Converted for the first request, because few servers are ever asked for it.
  let schemaText: string | undefined;
  const schema = route({
    method: 'GET',
    path: '/schemas/releases-v2.json',
    summary: 'JSON Schema of the domain manifest',
    tag: 'Machine descriptions',
    access: 'public',
    answers: { 200: z.looseObject({}) },
    run: async () => {
      schemaText ??= JSON.stringify(manifestSchema(baseUrl));
      return new Reply(200, schemaText, {
        'Content-Type': 'application/schema+json',
        'Cache-Control': 'public, max-age=86400',
      });
    },
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
  const { $schema, ...schema } = z.toJSONSchema(manifest, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.example;
    },
  });
  return { $schema, $id: `${baseUrl}/schemas/releases-v2.json`, title: 'Domain manifest, version 2', ...schema };
}
