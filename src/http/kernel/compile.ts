// A route declaration with everything precomputed that does not change between requests.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { negotiate } from '../../domain/content-negotiation.ts';
import { DEFAULT_BODY_LIMIT } from './body.ts';
import { PRIVATE } from './headers.ts';
import { FORMAT_TYPES, type Format, type Reply } from './reply.ts';
import type { CacheRule, FormatWriter, PathSuffix, RequestFacts, RouteDeclaration, RouteGroup } from './route.ts';

// The formats of a route, the default first, and their media types in the same order.
export interface OfferedFormats {
  formats: readonly [Format, ...Format[]];
  types: readonly [string, ...string[]];
}

export interface CompiledRoute {
  declaration: RouteDeclaration;
  group: RouteGroup;
  // The full path with parameters in braces, as the metrics show it.
  template: string;
  // `0` for each fixed segment of the template and `1` for each parameter.
  segmentKinds: string;
  readonly query: z.ZodObject;
  // Null when the body is not read.
  body: z.ZodType | null;
  bodyLimit: number;
  offered: OfferedFormats;
  writers: Partial<Record<Format, FormatWriter>>;
  vary: readonly string[];
  publicCache: string;
}

const PAGE_VARY = ['Accept', 'Cookie', 'Accept-Encoding'];
export const DEFAULT_VARY: readonly string[] = ['Authorization', 'Accept-Encoding'];

export const SUFFIX_FORMATS: Readonly<Record<PathSuffix, Format>> = { json: 'json', md: 'markdown', atom: 'atom' };

export function compileRoute(group: RouteGroup, declaration: RouteDeclaration): CompiledRoute {
  const { cache, json, html, markdown, atom } = declaration;
  const offered = offeredFormats(declaration);
  const usual = html ? PAGE_VARY : (group.vary ?? DEFAULT_VARY);
  const negotiated = offered.formats.length > 1 ? ['Accept'] : [];
  const template = `${group.prefix}${declaration.path}`;
  return {
    declaration,
    group,
    template,
    segmentKinds: segmentKindsOf(template),
    // Made for the first request of the route, because most routes of a server are never asked.
    get query() {
      return querySchema(declaration);
    },
    body: bodySchema(declaration),
    bodyLimit: declaration.bodyLimit ?? DEFAULT_BODY_LIMIT,
    offered,
    writers: { json, html, markdown, atom } as unknown as CompiledRoute['writers'],
    vary: [...new Set([...usual, ...negotiated, ...(declaration.vary ?? [])])],
    publicCache: cache && cache !== 'never' ? cacheControl(cache) : PRIVATE,
  };
}

// The input was parsed by the schemas of this declaration; the list of routes has lost that type.
export function runRoute(
  { run }: RouteDeclaration,
  { ctx, input, request }: { ctx: Context; input: CheckedInput; request: RequestFacts },
): Promise<unknown> {
  return run(ctx, input as never, request);
}

// Throws when a reply does not match its declared schema.
export function verifyReply(declaration: RouteDeclaration, reply: Reply): void {
  if (declaration.answers === null) return;
  const name = `${declaration.method} ${declaration.path}`;
  const schema = declaration.answers[reply.status as 200];
  if (schema === undefined) throw new Error(`${name} does not declare the status ${reply.status}`);
  if (schema === null || reply.headers['Content-Type'] !== undefined) return;
  const result = schema.safeParse(JSON.parse(JSON.stringify(reply.body ?? null)));
  if (!result.success) throw new Error(`${name} answers what its schema does not allow: ${result.error.message}`);
}

interface CheckedInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body?: unknown;
}

function offeredFormats({ html, markdown, negotiates }: RouteDeclaration): OfferedFormats {
  const usual: readonly [Format, ...Format[]] = [html ? 'html' : 'json', ...(markdown ? (['markdown'] as const) : [])];
  const formats = negotiates ?? usual;
  const [first, ...rest] = formats;
  return { formats, types: [mediaTypeOf(first), ...rest.map(mediaTypeOf)] };
}

export function negotiated({ formats, types }: OfferedFormats, accept: string | undefined): Format {
  if (formats.length === 1) return formats[0];
  return formats[types.indexOf(negotiate(accept, types))] ?? formats[0];
}

function mediaTypeOf(format: Format): string {
  return FORMAT_TYPES[format].split(';', 1)[0] ?? '';
}

function cacheControl([maxAge, stale]: CacheRule): string {
  return `public, max-age=${maxAge}${stale > 0 ? `, stale-while-revalidate=${stale}` : ''}`;
}

function segmentKindsOf(template: string): string {
  const segments = template.split('/');
  return segments.map((segment) => (segment.startsWith('{') ? '1' : '0')).join('');
}

const querySchemas = new WeakMap<RouteDeclaration, z.ZodObject>();

// The schema is shared by all servers of a process, because zod compiles its parser on first use.
function querySchema(declaration: RouteDeclaration): z.ZodObject {
  const known = querySchemas.get(declaration);
  if (known) return known;
  const schema = z.object(declaration.query ?? {});
  querySchemas.set(declaration, schema);
  return schema;
}

const NO_FIELDS = z.object({});
const ANYTHING = z.unknown();

function bodySchema({ method, accepts = 'json', body }: RouteDeclaration): z.ZodType | null {
  if (method === 'GET' || (method === 'DELETE' && !body)) return null;
  return body ?? (accepts === 'json' ? NO_FIELDS : ANYTHING);
}
