// Prepares declarations and finds the route of a method and a path. Hono's router matches the path; the declaration decides
// everything else.
import { TrieRouter } from 'hono/router/trie-router';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { negotiate } from '../../domain/content-negotiation.ts';
import { DEFAULT_BODY_LIMIT } from './body.ts';
import { withinBound } from './bound.ts';
import { PRIVATE } from './headers.ts';
import { FORMAT_TYPES, type Format, type Reply } from './reply.ts';
import type {
  CacheRule,
  FormatWriter,
  HttpMethod,
  PathSuffix,
  RequestInfo,
  RouteDeclaration,
  RouteGroup,
} from './route.ts';

export interface RouteMatch {
  route: CompiledRoute;
  params: Record<string, string>;
  // The format of the path's suffix; null when `Accept` decides.
  format: Format | null;
}

export interface Router {
  match(method: string, path: string): RouteMatch | null;
  // The routes of a path for all methods, the most specific first.
  routesAt(path: string): CompiledRoute[];
  // The group of a path that matches no route; null when no prefix fits.
  groupOf(path: string): RouteGroup | null;
  compiled(declaration: RouteDeclaration): CompiledRoute;
}

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const SUFFIX = /^(?<stem>.+)\.(?<suffix>json|md|atom)$/;

// Whether the suffix of a path names a format for programs.
export function namesForm(path: string): boolean {
  return SUFFIX.test(path);
}

export function createRouter(groups: readonly RouteGroup[]): Router {
  const routes = groups.flatMap((group) => group.routes.map((declaration) => compileRoute(group, declaration)));
  refuseDoubles(routes);
  const byDeclaration = new Map(routes.map((route) => [route.declaration, route]));
  const owners = groups
    .filter(({ isApi, ownsUnmatched }) => isApi || ownsUnmatched)
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const trie = new TrieRouter<CompiledRoute>();
  for (const route of [...routes].sort(bySpecificity)) {
    trie.add(route.declaration.method, route.template.replaceAll(/\{(\w+)\}/g, ':$1') || '/', route);
  }

  // The first segments of group prefixes, so that a page does not treat them as the slug of an organization.
  const claimed = new Set(owners.flatMap(({ prefix }) => prefix.split('/')[1] ?? []));
  const isClaimed = (path: string) => claimed.has(path.split('/', 2)[1] ?? '');

  function lookUp(method: string, path: string): Omit<RouteMatch, 'format'> | null {
    const [found] = trie.match(method, path)[0];
    if (!found || (found[0].template.startsWith('/{') && isClaimed(path))) return null;
    return { route: found[0], params: decodedParams(found[1] as Record<string, string>) };
  }

  function bySuffix(method: string, path: string): RouteMatch | null {
    const { stem = '', suffix } = SUFFIX.exec(path)?.groups ?? {};
    const found = suffix === undefined ? null : lookUp(method, stem);
    const offered = found?.route.declaration.suffixes?.find((known) => known === suffix);
    return found && offered ? { ...found, format: SUFFIX_FORMATS[offered] } : null;
  }

  function match(method: string, path: string): RouteMatch | null {
    const routeMethod = method === 'HEAD' ? 'GET' : method;
    const suffixed = bySuffix(routeMethod, path);
    const found = lookUp(routeMethod, path);
    // A route with its own suffix, such as `/openapi.json`, takes precedence over the format of a page.
    if (suffixed && (!found || bySpecificity(found.route, suffixed.route) >= 0)) return suffixed;
    return found && { ...found, format: null };
  }

  return {
    match,
    routesAt: (path) => METHODS.flatMap((method) => match(method, path)?.route ?? []),
    groupOf: (path) =>
      owners.find(({ prefix }) => isBelow(path, prefix) && (prefix !== '' || !isClaimed(path))) ?? null,
    compiled(declaration) {
      const route = byDeclaration.get(declaration);
      if (!route) throw new Error(`not served here: ${declaration.method} ${declaration.path}`);
      return route;
    },
  };
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`) || prefix === '';
}

// The path was checked before, so decoding cannot fail.
function decodedParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodedSegment(value)]));
}

function decodedSegment(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

// Two declarations with the same path would shadow each other silently.
function refuseDoubles(routes: readonly CompiledRoute[]): void {
  const seen = new Set<string>();
  for (const { declaration, template } of routes) {
    const address = `${declaration.method} ${template.replaceAll(/\{\w+\}/g, '{}')}`;
    if (seen.has(address)) throw new Error(`declared twice: ${declaration.method} ${template}`);
    seen.add(address);
  }
}

// Fixed segments come before parameters, whatever the order of declaration; a method that the more specific path lacks
// falls through to the next one.
function bySpecificity(a: CompiledRoute, b: CompiledRoute): number {
  return a.segmentKinds < b.segmentKinds ? -1 : a.segmentKinds > b.segmentKinds ? 1 : 0;
}

// A route declaration with everything precomputed that does not change between requests.

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

const SUFFIX_FORMATS: Readonly<Record<PathSuffix, Format>> = { json: 'json', md: 'markdown', atom: 'atom' };

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
export async function runRoute(
  declaration: RouteDeclaration,
  { ctx, input, request }: { ctx: Context; input: CheckedInput; request: RequestInfo },
): Promise<unknown> {
  const running = ctx.caller.bound === undefined ? ctx : await withinBound(ctx, declaration, input);
  return declaration.run(running, input as never, request);
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
  if (formats.length === 1 || accept === undefined || accept === '*/*') return formats[0];
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
