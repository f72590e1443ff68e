// Puts the pages of sign-in behind the router.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { requireSecrets } from '../../../accounts/sealing.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../contract/errors.ts';
import { loadAssets } from '../../kernel/assets.ts';
import type { Exchange } from '../../kernel/exchange.ts';
import { escapeHtml } from '../../kernel/html.ts';
import { type MountTools, type Router, respond } from '../../kernel/router.ts';
import { toAnswer } from '../answer.ts';
import { readAuthCall, withSession } from '../call.ts';
import type { AuthDoor } from '../door.ts';
import { consentPages } from './consent.ts';
import { type AuthPage, type PageCall, page, sentence } from './page.ts';
import { passwordPages } from './password.ts';
import { signInPages } from './sign-in.ts';

const PAGES: readonly AuthPage[] = [...signInPages, ...passwordPages, ...consentPages];
const VARY = ['Cookie', 'Accept-Encoding'];

export function mountAuthPages(router: Router, { kernel, announce }: MountTools, ctx: Context, door: AuthDoor): void {
  const stylesheet = loadAssets().pathOf('pages.css');
  for (const { method, path, show } of PAGES) {
    announce(method, path);
    router.on(method, path, async (c) => {
      const { exchange } = c.env;
      exchange.route = path;
      await respond(kernel, exchange, VARY, async () => {
        const call = await readPageCall({ ctx, door, stylesheet }, exchange);
        return toAnswer(await shown(call, show), exchange);
      });
      return RESPONSE_ALREADY_SENT;
    });
  }
}

async function readPageCall(
  parts: Pick<PageCall, 'ctx' | 'door' | 'stylesheet'>,
  exchange: Exchange,
): Promise<PageCall> {
  requireSecrets(parts.ctx);
  const call = await withSession(await readAuthCall(parts.ctx, exchange));
  const form = call.body && 'form' in call.body ? call.body.form : new URLSearchParams();
  return { ...parts, exchange, query: call.query, form, session: call.byCookie ? call.session : null };
}

// What a person cannot help is told on a page, too.
async function shown(call: PageCall, show: AuthPage['show']): Promise<Response> {
  try {
    return await show(call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return page(call, {
      name: 'refused',
      title: 'That did not work',
      body: `<p>${escapeHtml(sentence(error.message))}</p>`,
      status: error.status,
    });
  }
}
