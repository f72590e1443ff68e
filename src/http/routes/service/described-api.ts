// The API and the routes that describe it: the index, the OpenAPI document and the pages of the reference.
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { field } from '../../../contract/fields.ts';
import { PAGE_HEADERS } from '../../kernel/headers.ts';
import { Reply } from '../../kernel/reply.ts';
import { type RouteDeclaration, route } from '../../kernel/route.ts';
import { createOpenApi } from '../../openapi/document.ts';
import type { OpenApiDocument } from '../../openapi/document-types.ts';
import type { ReferencePages } from '../../openapi/reference-pages.ts';
import { botRoutes } from '../bots.ts';

export interface DescribedParts {
  // The routes of the API, below `/v1`.
  routes: readonly RouteDeclaration[];
  reference: ReferencePages;
}

interface DescribedApi {
  routes: RouteDeclaration[];
  // Built on the first request, so that the service does not wait for it at start.
  document: () => Promise<OpenApiDocument>;
}

const apiIndex = z
  .object({
    name: field.name,
    version: z.literal('v1').describe('Version of the API.'),
    description: field.description,
    links: z
      .object({
        openapi: z
          .string()
          .meta({ description: 'The OpenAPI document.', example: 'http://localhost:8080/v1/openapi.json' }),
        docs: z.string().meta({ description: 'The reference for people.', example: 'http://localhost:8080/v1/docs' }),
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

// The index, the document and the pages of the reference are themselves described.
export function describedApi({ config }: Context, { routes, reference }: DescribedParts): DescribedApi {
  const document: DescribedApi['document'] = () => {
    const ofRoutes = documents.get(routes) ?? new Map<string, Promise<OpenApiDocument>>();
    documents.set(routes, ofRoutes);
    const key = JSON.stringify([config.siteName, config.baseUrl]);
    const made = ofRoutes.get(key) ?? createOpenApi(config, [...all, ...botRoutes()]);
    ofRoutes.set(key, made);
    return made;
  };
  const all = [...routes, indexRoute(config), documentRoute(document), ...referenceRoutes(reference, document)];
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
    answers: {
      200: z.looseObject({ openapi: z.string().meta({ description: 'Version of OpenAPI.', example: '3.1.0' }) }),
    },
    cache: [3600, 300],
    run: () => document(),
  });
}

type Render = (ctx: Context, described: OpenApiDocument, params: Record<string, string>) => string;

// Keeps what was rendered: a long page is the same for all readers. Unknown names throw, so they are not kept.
function once(render: Render): Render {
  const rendered = new Map<string, string>();
  return (ctx, described, params) => {
    const key = Object.values(params).join('/');
    const text = rendered.get(key) ?? render(ctx, described, params);
    rendered.set(key, text);
    return text;
  };
}

function referenceRoutes(pages: ReferencePages, document: DescribedApi['document']): RouteDeclaration[] {
  const page = (words: Pick<RouteDeclaration, 'path' | 'summary' | 'description'>, render: Render) =>
    route({
      ...described,
      ...words,
      answers: { 200: z.string() },
      mediaType: 'text/html',
      example: '<!doctype html><title>API reference</title>',
      cache: [86_400, 300],
      run: async (ctx, { params }) => new Reply(200, render(ctx, await document(), params), PAGE_HEADERS),
    });
  return [
    page(
      {
        path: '/docs',
        summary: 'Reference for people',
        description: 'A page with a short guide and links to all calls, by group.',
      },
      once((ctx, described) => pages.guide(ctx, described)),
    ),
    page(
      {
        path: '/docs/{group}',
        summary: 'A group of the reference',
        description: 'A page with the calls of one group, examples for each and a form to try it.',
      },
      once((ctx, described, { group = '' }) => pages.group(ctx, described, group)),
    ),
    page(
      {
        path: '/docs/schemas',
        summary: 'Schemas of the reference',
        description: 'A page with links to all schemas that calls take and answer.',
      },
      (ctx, described) => pages.schemas(ctx, described),
    ),
    page(
      {
        path: '/docs/schemas/{schema}',
        summary: 'A schema of the reference',
        description: 'A page with the fields of one schema.',
      },
      (ctx, described, { schema = '' }) => pages.schema(ctx, described, schema),
    ),
  ];
}
