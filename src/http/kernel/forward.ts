// Runs another GET route for the same request, so that a page can serve the response of an API route.

import type { Context } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { notFound } from '../../contract/errors.ts';
import { runRoute } from './compile.ts';
import { readQueryInput } from './input.ts';
import { checkPathIds } from './path-ids.ts';
import { writtenReply } from './render.ts';
import { type ForwardedRead, toReply } from './reply.ts';
import type { RequestFacts } from './route.ts';
import type { Router } from './router.ts';

interface ForwardInput {
  router: Router;
  path: string;
  request: RequestFacts;
}

export async function forwardRead(ctx: Context, { router, path, request }: ForwardInput): Promise<ForwardedRead> {
  const match = router.match('GET', path);
  if (!match) throw notFound('route', path);
  const { route } = match;
  const input = {
    params: checkPathIds(match.params),
    query: readQueryInput(route, request.target.query),
    body: undefined,
  };
  const anonymousCtx = { ...ctx, caller: ANONYMOUS };
  const reply = toReply(await runRoute(route.declaration, { ctx: anonymousCtx, input, request }));
  const written = { format: request.format, input };
  return { answer: reply.body, reply: writtenReply(anonymousCtx, { route, reply, written }) };
}
