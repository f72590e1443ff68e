// Puts sign-in behind the router: the library's door, the pages that people need to get through it, and the operator's
// own way in.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from '../../context.ts';
import { ClientGone } from '../kernel/body.ts';
import { executeRoute } from '../kernel/execute.ts';
import { toApiError } from '../kernel/failure.ts';
import { type Mount, respond } from '../kernel/router.ts';
import { toAnswer } from './answer.ts';
import { AUTH_PATH, readAuthCall } from './call.ts';
import { discoveryRoutes } from './discovery.ts';
import { createAuthDoor } from './door.ts';
import { errorResponse } from './errors.ts';
import { createAuthParts } from './library.ts';
import { mountOperatorSessions } from './operator.ts';
import { mountAuthPages } from './pages/index.ts';
import { AUTH_ROUTES } from './routes.ts';

interface AuthMount {
  mount: Mount;
  // Waits for mails that are still on their way.
  settle(): Promise<void>;
}

export function createAuthMount(ctx: Context): AuthMount {
  const parts = createAuthParts(ctx);
  const door = createAuthDoor(AUTH_ROUTES, parts);
  return {
    settle: parts.background.settle,
    mount(router, { kernel, announce }) {
      for (const { methods, path } of AUTH_ROUTES) {
        for (const method of methods) announce(method, `${AUTH_PATH}${path}`);
      }
      mountAuthPages(router, { kernel, announce }, ctx, door);
      mountOperatorSessions(router, { kernel, announce });
      for (const route of discoveryRoutes(ctx.config)) {
        announce('GET', route.template);
        router.get(route.template, async (c) => {
          const { exchange } = c.env;
          exchange.route = route.template;
          await respond(kernel, exchange, route.vary, () => executeRoute(kernel, route, exchange, {}));
          return RESPONSE_ALREADY_SENT;
        });
      }
      router.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], `${AUTH_PATH}/*`, async (c) => {
        const { exchange } = c.env;
        exchange.route = `${AUTH_PATH}/*`;
        await respond(kernel, exchange, ['Authorization', 'Cookie'], async () => {
          try {
            return await toAnswer(await door.answer(await readAuthCall(ctx, exchange)), exchange);
          } catch (error) {
            if (error instanceof ClientGone) throw error;
            const form = /\/(oauth2|device)(\/|$)/.test(exchange.target.path) ? 'oauth' : 'plain';
            return toAnswer(errorResponse(await toApiError(ctx, exchange, error), form), exchange);
          }
        });
        return RESPONSE_ALREADY_SENT;
      });
    },
  };
}
