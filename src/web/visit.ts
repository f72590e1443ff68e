// A visit: one request for a page or form of one person. Such pages are never cached, and search engines do not list
// them.
import type { z } from 'zod';
import { nextPath } from '../accounts/auth/next-path.ts';
import type { Context } from '../context.ts';
import { refuseNul } from '../http/kernel/forms.ts';
import { PAGE_HEADERS } from '../http/kernel/headers.ts';
import { HTML_TYPE, Reply, redirect } from '../http/kernel/reply.ts';
import { type RequestInfo, type RouteDeclaration, route } from '../http/kernel/route.ts';
import { documentHtml, type WebPage } from './frame/document.ts';
import { readShell } from './frame/read-shell.ts';
import type { Shell } from './frame/shell.ts';

export interface Visit<Q = unknown> {
  ctx: Context;
  request: RequestInfo;
  params: Record<string, string>;
  // The query as sent, and as parsed by the declaration of the page.
  sent: URLSearchParams;
  query: Q;
  // The form fields; empty for a page.
  form: URLSearchParams;
  shell: Shell;
}

interface VisitRoute<S extends z.ZodRawShape> {
  path: string;
  summary: string;
  query?: S;
  // The most bytes of a form, where it takes files.
  bodyLimit?: number;
  answer(visit: Visit<z.output<z.ZodObject<S>>>): Promise<Reply>;
}

// A page that needs no sign-in.
export const visitorPage = <S extends z.ZodRawShape>(declaration: VisitRoute<S>) => visitRoute('GET', declaration);

// A reader who is not signed in is redirected to the sign-in page.
export function accountPage<S extends z.ZodRawShape>({ answer, ...declaration }: VisitRoute<S>): RouteDeclaration {
  return visitRoute('GET', {
    ...declaration,
    answer: async (visit) => (visit.shell.account ? answer(visit) : toSignIn(visit)),
  });
}

// The kernel accepts a form only with a CSRF token that this service issued for the same session.
export const visitorForm = (declaration: VisitRoute<z.ZodRawShape>) => visitRoute('POST', declaration);

export function accountForm({ answer, ...declaration }: VisitRoute<z.ZodRawShape>): RouteDeclaration {
  return visitRoute('POST', {
    ...declaration,
    answer: async (visit) => (visit.shell.account ? answer(visit) : seeOther(visit, '/login')),
  });
}

function visitRoute<S extends z.ZodRawShape>(
  method: 'GET' | 'POST',
  { path, summary, query, bodyLimit, answer }: VisitRoute<S>,
): RouteDeclaration {
  return route({
    method,
    path,
    summary,
    tag: 'Pages',
    access: 'visitor',
    query: query ?? null,
    lenientQuery: Object.keys(query ?? {}),
    accepts: 'form',
    ...(bodyLimit !== undefined && { bodyLimit }),
    answers: null,
    cache: 'never',
    ...(method === 'GET' && { counts: true }),
    run: async (ctx, input, request) => {
      const form = request.form ?? new URLSearchParams();
      const sent = new URLSearchParams(request.target.query);
      refuseNul([...sent, ...form]);
      const shell = await readShell(ctx, request, [...Object.keys(query ?? {}), 'done']);
      return answer({ ctx, request, params: input.params, sent, query: input.query as never, form, shell });
    },
  });
}

interface PageAnswer {
  status?: number | undefined;
  // Origins that a form of this page may redirect to, besides the service itself.
  formTargets?: readonly string[];
}

export function answerPage(
  { shell }: Pick<Visit, 'ctx' | 'shell'>,
  { head, ...page }: WebPage,
  { status = 200, formTargets = [] }: PageAnswer = {},
): Reply {
  const unlisted = { description: `${head.title}.`, ...head, robots: 'noindex, nofollow' } as const;
  const text = documentHtml(shell, { ...page, head: unlisted });
  return new Reply(status, String(text), {
    'Content-Type': HTML_TYPE,
    'X-Robots-Tag': 'noindex, nofollow',
    ...(formTargets.length > 0 && { 'Content-Security-Policy': policyWith(formTargets) }),
  });
}

// Browsers follow a form's redirects only to origins in the content security policy of its page.
function policyWith(formTargets: readonly string[]): string {
  const policy = PAGE_HEADERS['Content-Security-Policy'];
  return policy.replace("form-action 'self'", `form-action 'self' ${[...new Set(formTargets)].join(' ')}`);
}

export function seeOther({ ctx }: Pick<Visit, 'ctx'>, path: string): Reply {
  return redirect(`${ctx.config.webUrl}${path}`);
}

// Redirects to the page that the form or the query names, if it is a path of this site.
export function onward(visit: Visit): Reply {
  return seeOther(visit, nextPath(visit.form.get('next') ?? visit.sent.get('next')));
}

function toSignIn(visit: Visit): Reply {
  const { path, query } = visit.shell;
  return seeOther(visit, `/login?${new URLSearchParams({ next: query.size > 0 ? `${path}?${query}` : path })}`);
}
