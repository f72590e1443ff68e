// /admin/view/…: copies of public pages with a menu for the operator, so that the public pages stay the same for
// everybody.

import { html as htmlReply, Reply } from '../../../http/kernel/reply.ts';
import { type RouteDeclaration, route } from '../../../http/kernel/route.ts';
import { runRoute } from '../../../http/kernel/router.ts';
import { type Html, html } from '../../components/html.ts';
import { rowAction } from '../../components/operator-table.ts';
import type { Shell } from '../../frame/shell.ts';
import { operatorFailure } from '../../operator/sign-in.ts';
import { bareSourcePages } from '../bare-source.ts';
import { entityPage } from '../entity.ts';
import { orgPage } from '../org.ts';
import { releasePage } from '../release.ts';

interface ShownEntity {
  org?: { id: string; slug: string; name: string; isHidden?: boolean };
  source?: { id: string; name: string; isHidden?: boolean };
  product?: { id: string; name: string; isHidden?: boolean };
  release?: { id: string; title?: string | null };
}

interface PageView {
  data: ShownEntity;
  shell: Shell;
}

const COPIES = '/admin/view';

export const viewPages: readonly RouteDeclaration[] = [orgPage, releasePage, entityPage, ...bareSourcePages].map(
  copyOf,
);

function copyOf(page: RouteDeclaration): RouteDeclaration {
  return route({
    method: 'GET',
    path: `${COPIES}${page.path}`,
    summary: `Operator area: ${page.summary}`,
    tag: 'Pages',
    access: 'write',
    query: page.query ?? {},
    lenientQuery: page.lenientQuery ?? [],
    answers: null,
    cache: 'never',
    counts: true,
    failure: operatorFailure,
    html: (answer: string) => answer,
    run: async (ctx, input, request): Promise<Reply> => {
      const view = (await runRoute(page, { ctx, input, request: { ...request, format: 'html' } })) as PageView | Reply;
      if (!('shell' in view)) return redirectedCopy(view);
      const written = page.html?.(view as never, input as never, ctx) ?? '';
      const text = written instanceof Reply ? String(written.body) : written;
      const above = String(menu(view, request.target.path));
      return htmlReply(
        text.replace('<main id="main"', () => `${above}<main id="main"`),
        200,
      );
    },
  });
}

// A page that has moved leads to the copy of its new place.
function redirectedCopy(reply: Reply): Reply {
  const { Location: location } = reply.headers;
  return location?.startsWith('/') ? new Reply(reply.status, null, { Location: `${COPIES}${location}` }) : reply;
}

// The actions on the entity of the page.
function menu({ data, shell }: PageView, back: string): Html {
  const act = (action: string, label: string, target: string) =>
    rowAction(shell, { action, label, target, values: { next: back } });
  const { release, source, product, org } = data;
  const items = release
    ? [
        html`<a class="btn quiet small" href="/admin/releases/${release.id}">Suppress</a>`,
        raw(`/v1/releases/${release.id}`),
      ]
    : source
      ? [
          act(`/admin/sources/${source.id}/fetch`, 'Refetch', source.name),
          act(
            `/admin/sources/${source.id}/${source.isHidden ? 'show' : 'hide'}`,
            source.isHidden ? 'Show' : 'Hide',
            source.name,
          ),
          raw(`/v1/sources/${source.id}`),
        ]
      : product
        ? [
            act(
              `/admin/products/${product.id}/${product.isHidden ? 'show' : 'hide'}`,
              product.isHidden ? 'Show' : 'Hide',
              product.name,
            ),
            raw(`/v1/products/${product.id}`),
          ]
        : org
          ? [
              html`<a class="btn quiet small" href="/admin/orgs/${org.slug}">Edit, hide or feature</a>`,
              raw(`/v1/orgs/${org.slug}`),
            ]
          : [];
  return html`<nav class="operator-menu wrap cluster" aria-label="Operator">${items}<a class="btn quiet small" href="/admin">Operator area</a></nav>`;
}

const raw = (path: string) => html`<a class="btn quiet small" href="${path}">Raw JSON</a>`;
