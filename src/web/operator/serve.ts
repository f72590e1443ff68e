// Pages and forms of the operator area as routes.
import { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { type RouteDeclaration, route } from '../../http/kernel/route.ts';
import { detailsOf, type Refusal, sentence } from '../forms/refusal.ts';
import { seeOther } from '../visit.ts';
import { operatorReply } from './frame.ts';
import { operatorFailure } from './sign-in.ts';
import { type OperatorForm, type OperatorPage, visitOf } from './visit.ts';

export function servePage(page: OperatorPage, routes: readonly RouteDeclaration[]): RouteDeclaration {
  return route({
    method: 'GET',
    path: page.path,
    summary: `Operator area: ${page.title}`,
    tag: 'Pages',
    access: page.access,
    query: page.query ?? {},
    lenientQuery: Object.keys(page.query ?? {}),
    answers: null,
    cache: 'never',
    counts: true,
    failure: operatorFailure,
    html: (answer: string) => answer,
    run: async (ctx, { params, query }, request) => {
      const visit = await visitOf(ctx, {
        params,
        query: query as never,
        request,
        routes,
        known: Object.keys(page.query ?? {}),
      });
      return operatorReply(visit, { page, body: page.show(await page.load(visit), visit) });
    },
  });
}

export function serveForm(form: OperatorForm, routes: readonly RouteDeclaration[]): RouteDeclaration {
  return route({
    method: 'POST',
    path: form.path,
    summary: `Operator area: ${form.summary}`,
    tag: 'Pages',
    access: form.access,
    query: null,
    accepts: 'form',
    body: z.unknown(),
    answers: null,
    cache: 'never',
    failure: operatorFailure,
    run: async (ctx, { params }, request) => {
      const { page } = form;
      const visit = await visitOf(ctx, { params, query: {}, request, routes });
      try {
        const outcome = await form.run(visit);
        return 'to' in outcome ? seeOther({ ctx }, outcome.to) : operatorReply(visit, { page, body: outcome.body });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) throw error;
        const again = { ...visit, refusal: refusalOf(error) };
        return operatorReply(again, { page, body: page.show(await page.load(again), again), status: 422 });
      }
    },
  });
}

function refusalOf(error: ApiError): Refusal {
  const { issues = [] } = detailsOf(error);
  const fields = Object.fromEntries(issues.map((issue) => [issue.path, sentence(issue.reason)]));
  return { status: 422, message: issues.length > 0 ? null : sentence(error.message), fields };
}
