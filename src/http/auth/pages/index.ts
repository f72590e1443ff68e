// The pages of sign-in as a list of routes.
import { requireSecrets } from '../../../accounts/sealing.ts';
import type { Context } from '../../../context.ts';
import { loadAssets } from '../../kernel/assets.ts';
import type { CredentialCheck } from '../../kernel/credentials.ts';
import { escapeHtml } from '../../kernel/page.ts';
import { type RouteDeclaration, type RouteGroup, route } from '../../kernel/route.ts';
import { requireStorable } from '../call.ts';
import { consentPages } from './consent.ts';
import { type AuthPage, drawPage, sentence } from './page.ts';
import { passwordPages } from './password.ts';
import { signInPages } from './sign-in.ts';

const PAGES: readonly AuthPage[] = [...signInPages, ...passwordPages, ...consentPages];

interface AuthPageParts {
  // The routes of sign-in, which the pages use for their readers.
  routes: readonly RouteDeclaration[];
  credentials: CredentialCheck;
}

export function authPages(ctx: Context, { routes, credentials }: AuthPageParts): RouteGroup {
  const stylesheet = loadAssets().pathOf('pages.css');
  return {
    prefix: '',
    routes: PAGES.map((page) => pageRoute(page, { routes, stylesheet })),
    credentials,
    requires: requireSecrets,
    vary: ['Authorization', 'Cookie'],
    // What a person cannot help is shown on a page, too.
    failure: (error) =>
      drawPage(ctx, {
        stylesheet,
        name: 'refused',
        title: 'That did not work',
        body: `<p>${escapeHtml(sentence(error.message))}</p>`,
        status: error.status,
      }),
  };
}

function pageRoute(
  { method, path, title, show }: AuthPage,
  parts: { routes: readonly RouteDeclaration[]; stylesheet: string },
): RouteDeclaration {
  return route({
    method,
    path,
    summary: title,
    tag: 'Pages',
    access: 'visitor',
    query: null,
    accepts: 'form',
    answers: null,
    cache: 'never',
    run: async (ctx, _input, request) => {
      const form = request.form ?? new URLSearchParams();
      const query = new URLSearchParams(request.target.query);
      requireStorable({ query, body: { form } });
      const { account } = ctx.caller;
      const session = account ? { id: account.id ?? '', userId: account.userId } : null;
      return show({ ctx, request, query, form, session, ...parts });
    },
  });
}
