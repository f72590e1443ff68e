// A page is a declaration: its path, its query parameters, what it loads and how it shows that. Loading calls the same
// functions as the API; showing is a pure function of the loaded data.
import { z } from 'zod';
import type { Context } from '../context.ts';
import { negotiate } from '../domain/content-negotiation.ts';
import { keysOf } from '../domain/records.ts';
import { type Format, HTML_TYPE, Reply, redirect, withHeaders } from '../http/kernel/reply.ts';
import { type PathSuffix, type RequestInfo, type RouteDeclaration, route } from '../http/kernel/route.ts';
import { parsePageQuery } from '../http/kernel/target.ts';
import { documentHtml, type WebPage } from './frame/document.ts';
import { pageFailure } from './frame/failure-page.ts';
import { readShell } from './frame/read-shell.ts';
import type { Shell } from './frame/shell.ts';

type PageQuery = z.ZodRawShape;
type PathParams = Record<string, string>;

interface PageInput<Q extends PageQuery> {
  params: PathParams;
  query: z.output<z.ZodObject<Q>>;
}

// The page in one format for programs. The path of the HTML page is the same without the suffix.
export type PageFormat = (
  ctx: Context,
  requested: { params: PathParams; request: RequestInfo; path: string },
) => Promise<Reply>;

interface PageDeclaration<Q extends PageQuery, D> {
  // The path with parameters in braces: `/{org}/overview`.
  path: string;
  summary: string;
  query?: Q;
  // Set for release pages: browsers revalidate them on every visit, so that a suppression takes effect at once.
  revalidate?: boolean;
  // The same as in routes: the page depends only on the entities that were resolved for it.
  dependsOn?: 'resolved';
  // Returns the canonical path when the requested path is an alias, otherwise null. Suffix and query are preserved.
  moved?(ctx: Context, params: PathParams, format: Format): Promise<string | null>;
  // Says whether the path with its suffix is the whole name of something, which then wins over the format that the suffix
  // names; `Accept` chooses the format instead.
  isNamed?(ctx: Context, params: PathParams, suffix: string): Promise<PathParams | null>;
  // A reply, for example a redirect, is sent unchanged.
  load(ctx: Context, input: PageInput<Q>): Promise<D | Reply>;
  show(data: D, shell: Shell, input: PageInput<Q>): WebPage;
  formats?: Partial<Record<PathSuffix, PageFormat>>;
  // The body for a client that prefers JSON to HTML.
  json?: () => unknown;
  headers?: Record<string, string>;
}

interface LoadedPage<Q extends PageQuery, D> {
  data: D;
  shell: Shell;
  input: PageInput<Q>;
}

const PAGE_CACHE = [60, 300] as const;
export const SUFFIX = /\.(?:json|md|atom)$/;
// The formats of a path whose suffix belongs to a name; HTML first.
const NAMED_TYPES = ['text/html', 'application/json', 'text/markdown', 'application/atom+xml'] as const;
const NAMED_FORMATS: Partial<Record<string, PathSuffix>> = {
  'application/json': 'json',
  'text/markdown': 'md',
  'application/atom+xml': 'atom',
};
const SUFFIXES: Partial<Record<Format, PathSuffix>> = { json: 'json', markdown: 'md', atom: 'atom' };

export function page<Q extends PageQuery, D>(declaration: PageDeclaration<Q, D>): RouteDeclaration {
  const {
    path,
    summary,
    revalidate,
    dependsOn,
    moved,
    isNamed,
    load,
    show,
    formats = {},
    json,
    headers = {},
  } = declaration;
  const query = z.object(declaration.query ?? ({} as Q));
  const suffixes = keysOf(formats);
  const shownAs = ({ data, shell, input }: LoadedPage<Q, D>) => {
    const shown = show(data, shell, input);
    const cached: Record<string, string> = revalidate ? { 'Cache-Control': 'no-cache' } : {};
    return new Reply(shown.status ?? 200, String(documentHtml(shell, shown)), { ...headers, ...cached });
  };
  async function loaded(ctx: Context, params: PathParams, request: RequestInfo): Promise<LoadedPage<Q, D> | Reply> {
    // An invalid filter is ignored, so that the page is still shown.
    const parsed = parsePageQuery(query, request.target.query, Object.keys(query.shape));
    const input = { params, query: parsed } as PageInput<Q>;
    const [data, shell] = await Promise.all([load(ctx, input), readShell(ctx, request, Object.keys(query.shape))]);
    return data instanceof Reply ? data : { data, shell, input };
  }
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Pages',
    access: 'visitor',
    // The query is parsed below, because the HTML page and its other formats have different parameters.
    query: null,
    answers: null,
    cache: PAGE_CACHE,
    counts: true,
    failure: pageFailure,
    ...(dependsOn && { dependsOn }),
    negotiates: ['html', ...(json ? (['json'] as const) : []), ...(formats.md ? (['markdown'] as const) : [])],
    suffixes,
    ...(json && { json: () => new Reply(200, JSON.stringify(json()), headers) }),
    html: shownAs,
    run: async (ctx, { params }, request): Promise<LoadedPage<Q, D> | Reply | null> => {
      const { target, format } = request;
      const suffix = suffixOf(request);
      const named = suffix === '' ? null : await isNamed?.(ctx, params, suffix);
      if (named) {
        // The format is not that of the path, by which answers are cached.
        ctx.answer.containsHidden = true;
        const chosen = negotiate(request.headers.accept, NAMED_TYPES);
        const write = formats[NAMED_FORMATS[chosen] ?? 'atom'];
        if (NAMED_FORMATS[chosen] && write) return write(ctx, { params: named, request, path: target.path });
        const page = await loaded(ctx, named, request);
        return page instanceof Reply ? page : withHeaders(shownAs(page), { 'Content-Type': HTML_TYPE });
      }
      const home = await moved?.(ctx, params, format);
      if (home) return redirect(withQuery(`${home}${suffix}`, target), 308);
      return format === 'html' ? loaded(ctx, params, request) : writeFormat(ctx, formats, { params, request });
    },
  });
}

// The context for a side panel. When a part of the service is unavailable the panel is left out, and the page is still
// cached: a panel from semantic search may appear a minute late.
export function panelContext(ctx: Context): Context {
  return { ...ctx, answer: { ...ctx.answer } };
}

interface ProgramPage {
  path: string;
  summary: string;
  // The page that browsers are redirected to.
  page: string;
  formats: Partial<Record<PathSuffix, PageFormat>>;
}

// A path that is only served in formats for programs.
export function formatsOnly({ path, summary, page: home, formats }: ProgramPage): RouteDeclaration {
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Pages',
    access: 'visitor',
    query: null,
    answers: null,
    cache: PAGE_CACHE,
    counts: true,
    failure: pageFailure,
    negotiates: ['html'],
    suffixes: keysOf(formats),
    run: async (ctx, { params }, request) =>
      request.format === 'html' ? redirect(home, 308) : writeFormat(ctx, formats, { params, request }),
  });
}

// A path that only redirects to a page, with its query.
export function movedPage(
  path: string,
  destination: (ctx: Context, params: PathParams) => Promise<string>,
): RouteDeclaration {
  return route({
    method: 'GET',
    path,
    summary: 'Leads to the page of today',
    tag: 'Pages',
    access: 'visitor',
    query: null,
    answers: null,
    cache: PAGE_CACHE,
    counts: true,
    failure: pageFailure,
    run: async (ctx, { params }, { target }) => redirect(withQuery(await destination(ctx, params), target), 308),
  });
}

function withQuery(path: string, { query }: RequestInfo['target']): string {
  return query === '' ? path : `${path}?${query}`;
}

function suffixOf({ format, target }: RequestInfo): string {
  return format === 'html' ? '' : (SUFFIX.exec(target.path)?.[0] ?? '');
}

async function writeFormat(
  ctx: Context,
  formats: Partial<Record<PathSuffix, PageFormat>>,
  { params, request }: { params: PathParams; request: RequestInfo },
): Promise<Reply | null> {
  const { format, target } = request;
  const write = formats[SUFFIXES[format] ?? 'json'];
  // The kernel writes this format with the writer in the declaration.
  if (!write) return null;
  const suffix = suffixOf(request);
  const path = target.path.slice(0, target.path.length - suffix.length);
  const reply = await write(ctx, { params, request, path });
  if (reply.status !== 200) return reply;
  return withHeaders(reply, {
    Link: `<${ctx.config.webUrl}${path}>; rel="canonical"`,
    'X-Robots-Tag': 'noindex',
    'Cache-Control': 'public, max-age=60, stale-while-revalidate=600',
    ...(suffix && { Vary: 'Accept-Encoding' }),
  });
}
