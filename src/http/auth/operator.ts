// Opens and ends the browser session of the operator area.
import type { Credentials } from '../../accounts/credentials.ts';
import { takeBack } from '../../accounts/limits.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { originOf, refuseNul, requireTrustedOrigin } from '../kernel/forms.ts';
import { PRIVATE } from '../kernel/headers.ts';
import { addressKeyOf, type LimitPolicy } from '../kernel/limits.ts';
import { Reply } from '../kernel/reply.ts';
import { type RequestInfo, type RouteDeclaration, route } from '../kernel/route.ts';
import { bodyOf, fieldsOf } from './call.ts';

const OPERATOR_SIGN_IN: LimitPolicy = { policy: 'operator', limit: 10, windowSeconds: 600 };

const COMMON = {
  method: 'POST',
  tag: 'Sign-in',
  access: 'public',
  query: null,
  accepts: 'any',
  answers: null,
} as const;

type OperatorCredentials = Pick<Credentials, 'identify' | 'operators'>;

// `refused` renders the page for a wrong token in a form; programs get the JSON envelope.
export function operatorRoutes(
  credentials: OperatorCredentials,
  refused?: (ctx: Context, error: ApiError) => Reply,
): RouteDeclaration[] {
  return [
    route({
      ...COMMON,
      path: '/admin/session',
      summary: 'Begin a session of the operator in a browser',
      run: async (ctx, { body }, request) => {
        try {
          const cookies = await begin(ctx, { token: tokenIn(request, body), credentials, request });
          return done(ctx, request, cookies);
        } catch (error) {
          if (refused && request.form && error instanceof ApiError) return refused(ctx, error);
          throw error;
        }
      },
    }),
    route({
      ...COMMON,
      path: '/admin/session/end',
      summary: 'End it',
      run: async (ctx, { body }, request) => {
        tokenIn(request, body);
        const { cookie } = request.headers;
        if (cookie !== undefined) requireTrustedOrigin(ctx.config, request.headers);
        return done(ctx, request, await credentials.operators.end(cookie ?? ''));
      },
    }),
  ];
}

function tokenIn(request: RequestInfo, json: unknown): string {
  const body = bodyOf(request, json);
  refuseNul([...new URLSearchParams(request.target.query), ...Object.entries(fieldsOf({ body }))]);
  const { token } = fieldsOf({ body });
  return typeof token === 'string' ? token : '';
}

interface Beginning {
  token: string;
  credentials: OperatorCredentials;
  request: RequestInfo;
}

// An attempt is counted before the token is checked and subtracted again when the token is right. The origin is checked
// first, so that another site cannot use up the operator's attempts.
async function begin(ctx: Context, { token, credentials, request }: Beginning): Promise<string[]> {
  const { headers, client } = request;
  if (originOf(headers) !== null) requireTrustedOrigin(ctx.config, headers);
  await request.takeLimit(OPERATOR_SIGN_IN);
  const cookies = await credentials.operators.open(await credentials.identify(token));
  if (cookies === null) throw new ApiError('unauthorized', 'this token does not open the operator area');
  if (!client.exempt) await takeBack(ctx, `${OPERATOR_SIGN_IN.policy}:${addressKeyOf(client)}`);
  return cookies;
}

// A form is redirected to a page; a program gets an empty success.
function done({ config }: Context, { form }: RequestInfo, cookies: string[]): Reply {
  const headers = { 'Cache-Control': PRIVATE, ...(form && { Location: `${config.webUrl}/admin` }) };
  return new Reply(form ? 303 : 204, null, headers).withCookies(cookies);
}
