// The API and the routes that describe it: the index, the OpenAPI document and the reference page.
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { pageHeaders } from '../../kernel/page-headers.ts';
import { Reply } from '../../kernel/reply.ts';
import { type RouteDeclaration, route } from '../../kernel/route.ts';
import { createOpenApi } from '../../openapi/document.ts';
import type { OpenApiDocument } from '../../openapi/document-types.ts';

export interface DescribedParts {
  // The routes of the API, below `/v1`.
  routes: readonly RouteDeclaration[];
  // Renders the reference page.
  reference: (ctx: Context, document: OpenApiDocument) => Promise<string>;
}

interface DescribedApi {
  routes: RouteDeclaration[];
  // Built on the first request, so that the service does not wait for it at start.
  document: () => Promise<OpenApiDocument>;
}

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

// The documents of the process by the routes that they describe. It takes a second of work to make one, so servers of one
// process that have the same routes, name and address share theirs.
const documents = new WeakMap<readonly RouteDeclaration[], Map<string, Promise<OpenApiDocument>>>();

// The index, the document and the reference page are themselves described.
export function describedApi({ config }: Context, { routes, reference }: DescribedParts): DescribedApi {
  const document: DescribedApi['document'] = () => {
    const ofRoutes = documents.get(routes) ?? new Map<string, Promise<OpenApiDocument>>();
    documents.set(routes, ofRoutes);
    const key = JSON.stringify([config.siteName, config.baseUrl]);
    const made = ofRoutes.get(key) ?? createOpenApi(config, all);
    ofRoutes.set(key, made);
    return made;
  };
  const all = [...routes, indexRoute(config), documentRoute(document), referenceRoute(reference, document)];
  return { routes: all, document };
}

const described = { method: 'GET', tag: 'Machine descriptions', access: 'public' } as const;

function indexRoute(config: Config): RouteDeclaration {
  const link = `<${config.baseUrl}/v1/openapi.json>; rel="service-desc"; type="application/openapi+json"`;
  return route({
    ...described,
    path: '',
    summary: 'Index of the API',
    description: 'Name, version and the addresses of the description, the reference and the health check.',
    answers: { 200: apiIndex },
    run: async () => new Reply(200, indexBody(config), { Link: link }),
  });
}

function documentRoute(document: DescribedApi['document']): RouteDeclaration {
  return route({
    ...described,
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    description: 'The document that describes every call, made from the schemas that check requests and answers.',
    answers: { 200: z.looseObject({ openapi: z.string().describe('Version of OpenAPI.') }) },
    cache: [3600, 300],
    run: () => document(),
  });
}

function referenceRoute(reference: DescribedParts['reference'], document: DescribedApi['document']): RouteDeclaration {
  let page: Promise<string> | null = null;
  return route({
    ...described,
    path: '/docs',
    summary: 'Reference for people',
    description: 'This description as a page with examples for each call and a form to try it.',
    answers: { 200: z.string() },
    mediaType: 'text/html',
    example: '<!doctype html><title>API reference</title>',
    cache: [86_400, 300],
    run: async (ctx) => {
      page ??= document().then((described) => reference(ctx, described));
      return new Reply(200, await page, pageHeaders());
    },
  });
}
