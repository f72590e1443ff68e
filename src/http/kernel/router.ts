// Finds the route of a method and a path. Hono's router matches the path; the declaration decides everything else.
import { TrieRouter } from 'hono/router/trie-router';
import { type CompiledRoute, compileRoute, SUFFIX_FORMATS } from './compile.ts';
import type { Format } from './reply.ts';
import type { HttpMethod, RouteDeclaration, RouteGroup } from './route.ts';

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
