// A page is a declaration: its path, what it takes from the query, what it loads and how it shows that. Loading calls
// the same functions as the API; showing is a pure function of what was loaded.
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { type RouteDeclaration, route } from '../http/kernel/route.ts';
import { documentHtml, type Page } from './frame/document.ts';
import { readShell } from './frame/read-shell.ts';
import type { Shell } from './frame/shell.ts';

type Shape = z.ZodRawShape;

interface PageInput<Q extends Shape> {
  params: Record<string, string>;
  query: z.output<z.ZodObject<Q>>;
}

interface PageDeclaration<Q extends Shape, D> {
  // With parameters in braces: `/{org}/overview`.
  path: string;
  summary: string;
  query?: Q;
  // A release page is revalidated on every visit, so that a suppression shows at once.
  revalidate?: boolean;
  load(ctx: Context, input: PageInput<Q>): Promise<D>;
  show(data: D, shell: Shell, input: PageInput<Q>): Page;
  // What a client gets that prefers JSON over HTML.
  json?: () => unknown;
}

interface View<D> {
  data: D;
  shell: Shell;
}

const PAGE_CACHE = [60, 300] as const;
const REVALIDATED = [0, 0] as const;

export function page<Q extends Shape, D>(declaration: PageDeclaration<Q, D>): RouteDeclaration {
  const { path, summary, query, revalidate, load, show, json } = declaration;
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Pages',
    access: 'visitor',
    query: query ?? ({} as Q),
    // A page with a broken filter is shown without it.
    lenientQuery: Object.keys(query ?? {}),
    answers: null,
    cache: revalidate ? REVALIDATED : PAGE_CACHE,
    ...(json && { negotiates: ['html', 'json'] as const, json }),
    html: ({ data, shell }: View<D>, input) => String(documentHtml(shell, show(data, shell, input as PageInput<Q>))),
    run: async (ctx, input, { target, format }): Promise<View<D> | null> => {
      if (format !== 'html') return null;
      const [data, shell] = await Promise.all([load(ctx, input as PageInput<Q>), readShell(ctx, target)]);
      return { data, shell };
    },
  });
}
