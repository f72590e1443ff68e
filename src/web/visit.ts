// A visit: one request for a page that belongs to one person, or the form that was sent from it. Such pages are never
// cached nor found by search engines.
import type { z } from 'zod';
import { nextPath } from '../accounts/auth/next-path.ts';
import type { Context } from '../context.ts';
import { refuseNul } from '../http/kernel/forms.ts';
import { pageHeaders } from '../http/kernel/page-headers.ts';
import { HTML_TYPE, Reply, redirect } from '../http/kernel/reply.ts';
import { type RequestFacts, type RouteDeclaration, route } from '../http/kernel/route.ts';
import { documentHtml, type WebPage } from './frame/document.ts';
import { readShell } from './frame/read-shell.ts';
import type { Shell } from './frame/shell.ts';

export interface Visit<Q = unknown> {
  ctx: Context;
  request: RequestFacts;
  params: Record<string, string>;
  // The query as sent, and as the page declares it.
  sent: URLSearchParams;
  query: Q;
  // The fields of the form; empty when none was sent.
  form: URLSearchParams;
  shell: Shell;
}

interface VisitRoute<S extends z.ZodRawShape> {
  path: string;
  summary: string;
  query?: S;
  answer(visit: Visit<z.output<z.ZodObject<S>>>): Promise<Reply>;
}

// A page that needs no sign-in.
export const visitorPage = <S extends z.ZodRawShape>(declaration: VisitRoute<S>) => visitRoute('GET', declaration);

// Somebody who is not signed in is asked to do so first.
export function accountPage<S extends z.ZodRawShape>({ answer, ...declaration }: VisitRoute<S>): RouteDeclaration {
  return visitRoute('GET', {
    ...declaration,
    answer: async (visit) => (visit.shell.account ? answer(visit) : toSignIn(visit)),
  });
}

// The kernel takes a form only from a page of this service that was drawn for the same session.
export const visitorForm = (declaration: VisitRoute<z.ZodRawShape>) => visitRoute('POST', declaration);

export function accountForm({ answer, ...declaration }: VisitRoute<z.ZodRawShape>): RouteDeclaration {
  return visitRoute('POST', {
    ...declaration,
    answer: async (visit) => (visit.shell.account ? answer(visit) : seeOther(visit, '/login')),
  });
}

function visitRoute<S extends z.ZodRawShape>(
  method: 'GET' | 'POST',
  { path, summary, query, answer }: VisitRoute<S>,
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
    answers: null,
    cache: 'never',
    run: async (ctx, input, request) => {
      const form = request.form ?? new URLSearchParams();
      const sent = new URLSearchParams(request.target.query);
      refuseNul([...sent, ...form]);
      const shell = await readShell(ctx, request.target);
      return answer({ ctx, request, params: input.params, sent, query: input.query as never, form, shell });
    },
  });
}

interface PageAnswer {
  status?: number | undefined;
  // Where a form of this page may lead besides the service itself.
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

// Browsers follow a form's redirects only to origins that the page named.
function policyWith(formTargets: readonly string[]): string {
  const policy = pageHeaders()['Content-Security-Policy'] ?? '';
  return policy.replace("form-action 'self'", `form-action 'self' ${[...new Set(formTargets)].join(' ')}`);
}

// Redirects to another page after a form.
export function seeOther({ ctx }: Pick<Visit, 'ctx'>, path: string): Reply {
  return redirect(`${ctx.config.webUrl}${path}`);
}

// To the page that the form or the address names, if it is one of ours.
export function onward(visit: Visit): Reply {
  return seeOther(visit, nextPath(visit.form.get('next') ?? visit.sent.get('next')));
}

function toSignIn(visit: Visit): Reply {
  const { path, query } = visit.request.target;
  return seeOther(visit, `/login?${new URLSearchParams({ next: `${path}${query ? `?${query}` : ''}` })}`);
}
