// The operator's way into a browser session.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { takeBack } from '../../accounts/auth/password-attempts.ts';
import { endOperatorSession, openOperatorSession } from '../../accounts/operator-sessions.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { type Answer, createAnswer } from '../kernel/answer.ts';
import { PRIVATE } from '../kernel/headers.ts';
import { originOf, requireTrustedOrigin } from '../kernel/origin.ts';
import { type MountTools, type Router, respond } from '../kernel/router.ts';
import { type AuthCall, readAuthCall, textOf } from './call.ts';
import { OPERATOR_SIGN_IN, takeByAddress } from './limits.ts';

const BEGIN = '/admin/session';
const END = '/admin/session/end';

export function mountOperatorSessions(router: Router, { kernel, announce }: MountTools): void {
  const { ctx } = kernel;
  const handlers: [path: string, handle: (call: AuthCall) => Promise<string>][] = [
    [BEGIN, (call) => begin(call, async (token) => kernel.credentials.identify(token))],
    [END, end],
  ];
  for (const [path, handle] of handlers) {
    announce('POST', path);
    router.post(path, async (c) => {
      const { exchange } = c.env;
      exchange.route = path;
      await respond(kernel, exchange, ['Cookie'], async () => {
        const call = await readAuthCall(ctx, exchange);
        exchange.response.setHeader('Set-Cookie', await handle(call));
        return done(ctx, call);
      });
      return RESPONSE_ALREADY_SENT;
    });
  }
}

type Identify = (token: string) => ReturnType<MountTools['kernel']['credentials']['identify']>;

// Counted before the token is looked at; a right one is taken back.
async function begin(call: AuthCall, identify: Identify): Promise<string> {
  const { ctx, exchange } = call;
  if (originOf(exchange.request.headers) !== null) requireTrustedOrigin(ctx.config, exchange.request.headers);
  await takeByAddress(ctx, exchange, [OPERATOR_SIGN_IN]);
  const cookie = await openOperatorSession(ctx, await identify(textOf(call, 'token') ?? ''));
  if (cookie === null) throw new ApiError('unauthorized', 'this token does not open the operator area');
  if (!exchange.client.exempt) await takeBack(ctx, `${OPERATOR_SIGN_IN.policy}:ip:${exchange.client.key}`);
  return cookie;
}

function end({ ctx, exchange }: AuthCall): Promise<string> {
  const { headers } = exchange.request;
  if (headers.cookie !== undefined) requireTrustedOrigin(ctx.config, headers);
  return endOperatorSession(ctx, headers.cookie ?? '');
}

// A form goes on to a page; a program just learns that it worked.
function done({ config }: Context, { body }: AuthCall): Answer {
  const headers: [string, string][] = [['Cache-Control', PRIVATE]];
  const isForm = body !== null && 'form' in body;
  if (isForm) headers.push(['Location', `${config.webUrl}/admin`]);
  return createAnswer({ status: isForm ? 303 : 204, headers, body: null, tagged: false });
}
