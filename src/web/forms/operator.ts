// What the operator area can change. Each form is one or two calls of the API, under the rights of the session's token.
import { nextPath } from '../../accounts/auth/next-path.ts';
import { ApiError, badRequest } from '../../contract/errors.ts';
import { html } from '../components/html.ts';
import type { OperatorForm, OperatorPage, OperatorVisit } from '../operator/visit.ts';
import { addPage } from '../pages/operator/add.ts';
import { collectionsEditorPage } from '../pages/operator/collections.ts';
import { noticePage } from '../pages/operator/notice.ts';
import { orgEditorPage } from '../pages/operator/org.ts';
import { orgsPage } from '../pages/operator/orgs.ts';
import { overviewPage } from '../pages/operator/overview.ts';
import { sourcesPage } from '../pages/operator/sources.ts';
import { createdToken, tokensPage } from '../pages/operator/tokens.ts';
import { webhooksPage } from '../pages/operator/webhooks.ts';

// Back to the page that the form stood on, with a word of what was done.
function back({ form }: OperatorVisit, fallback: string, done: string): { to: string } {
  const wanted = nextPath(form.get('next'));
  const path = wanted.startsWith('/admin') ? wanted : fallback;
  return { to: `${path}${path.includes('?') ? '&' : '?'}done=${done}` };
}

const given = (form: URLSearchParams, name: string) => form.get(name)?.trim() || undefined;
const words = (form: URLSearchParams, name: string) =>
  (form.get(name) ?? '')
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

function requireConfirmed({ form }: OperatorVisit, slug: string): void {
  if (form.get('confirm') === slug) return;
  throw badRequest('confirm', `type ${slug} to confirm`);
}

// A change of one field of a source, product or release.
interface Change {
  verb: string;
  done: string;
  body: Record<string, unknown>;
}

const SOURCE_CHANGES: readonly Change[] = [
  { verb: 'pause', done: 'paused', body: { fetchPriority: 'paused' } },
  { verb: 'resume', done: 'resumed', body: { fetchPriority: 'normal' } },
  { verb: 'hide', done: 'hidden', body: { isHidden: true } },
  { verb: 'show', done: 'shown', body: { isHidden: false } },
];

const sourceForms: OperatorForm[] = [
  {
    path: '/admin/sources/{src}/fetch',
    summary: 'fetch a source now',
    access: 'write',
    page: sourcesPage,
    run: async (visit) => {
      const { queued } = await visit.api.send('POST', '/sources/{src}/fetch', { params: visit.params, body: {} });
      return back(visit, '/admin/sources', queued ? 'queued' : 'fetched');
    },
  },
  ...SOURCE_CHANGES.map(
    ({ verb, done, body }): OperatorForm => ({
      path: `/admin/sources/{src}/${verb}`,
      summary: `${verb} a source`,
      access: 'write',
      page: sourcesPage,
      run: async (visit) => {
        await visit.api.send('PATCH', '/sources/{src}', { params: visit.params, body });
        return back(visit, '/admin/sources', done);
      },
    }),
  ),
  {
    path: '/admin/sources/{src}/delete',
    summary: 'delete a source',
    access: 'write',
    page: sourcesPage,
    run: async (visit) => {
      const { slug } = await visit.api.get('/sources/{src}', { params: visit.params });
      requireConfirmed(visit, slug);
      await visit.api.send('DELETE', '/sources/{src}', { params: visit.params });
      return back(visit, '/admin/sources', 'deleted');
    },
  },
];

const productForms: OperatorForm[] = [
  ...['hide', 'show'].map(
    (verb): OperatorForm => ({
      path: `/admin/products/{prod}/${verb}`,
      summary: `${verb} a product`,
      access: 'write',
      page: orgsPage,
      run: async (visit) => {
        await visit.api.send('PATCH', '/products/{prod}', {
          params: visit.params,
          body: { isHidden: verb === 'hide' },
        });
        return back(visit, '/admin/orgs', verb === 'hide' ? 'hidden' : 'shown');
      },
    }),
  ),
  {
    path: '/admin/products/{prod}/delete',
    summary: 'delete a product',
    access: 'write',
    page: orgsPage,
    run: async (visit) => {
      const { slug } = await visit.api.get('/products/{prod}', { params: visit.params });
      requireConfirmed(visit, slug);
      await visit.api.send('DELETE', '/products/{prod}', { params: visit.params });
      return back(visit, '/admin/orgs', 'deleted');
    },
  },
];

const releaseForms = (['suppress', 'unsuppress'] as const).map(
  (verb): OperatorForm => ({
    path: `/admin/releases/{rel}/${verb}`,
    summary: `${verb} a release`,
    access: 'write',
    page: overviewPage,
    run: async (visit) => {
      await visit.api.send('POST', `/releases/{rel}/${verb}`, { params: visit.params, body: {} });
      return back(visit, '/admin', verb === 'suppress' ? 'suppressed' : 'shown');
    },
  }),
);

const addForm: OperatorForm = {
  path: '/admin/add/create',
  summary: 'create a source from an address',
  access: 'admin',
  page: addPage,
  run: async (visit) => {
    const { form, api } = visit;
    const orgSlug = given(form, 'orgSlug') ?? '';
    await createMissingOrg(visit, orgSlug);
    const feedUrl = given(form, 'feedUrl');
    const source = await api.send('POST', '/sources', {
      body: {
        name: given(form, 'name'),
        slug: given(form, 'slug'),
        url: given(form, 'sourceUrl'),
        type: given(form, 'type'),
        orgSlug,
        ...(feedUrl && { metadata: { feedUrl } }),
        fetch: !form.has('silent'),
      },
    });
    if (form.has('silent')) {
      await api.send('POST', '/sources/{src}/fetch', { params: { src: source.id }, body: { silent: true } });
    }
    return { to: `/admin/sources?q=${encodeURIComponent(source.slug)}&done=created` };
  },
};

async function createMissingOrg({ api, form }: OperatorVisit, slug: string): Promise<void> {
  try {
    await api.get('/orgs/{org}', { params: { org: slug } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await api.send('POST', '/orgs', { body: { name: given(form, 'orgName'), slug } });
  }
}

const orgForms: OperatorForm[] = [
  {
    path: '/admin/orgs/create',
    summary: 'create an organization',
    access: 'write',
    page: orgsPage,
    run: async ({ api, form }) => {
      const body = { name: given(form, 'name'), slug: given(form, 'slug'), domain: given(form, 'domain') };
      const { slug } = await api.send('POST', '/orgs', { body });
      return { to: `/admin/orgs/${slug}?done=created` };
    },
  },
  orgForm('edit', 'saved', ({ api, params, form }) => {
    const notice = given(form, 'notice');
    const body = {
      name: given(form, 'name'),
      domain: given(form, 'domain') ?? null,
      category: given(form, 'category') ?? null,
      avatarUrl: given(form, 'avatarUrl') ?? null,
      description: given(form, 'description') ?? null,
      tags: words(form, 'tags'),
      aliases: words(form, 'aliases'),
      featured: form.has('featured'),
      isHidden: form.has('isHidden'),
      fetchPaused: form.has('fetchPaused'),
      notice: notice ? { message: notice } : null,
    };
    return api.send('PATCH', '/orgs/{org}', { params, body });
  }),
  orgForm('playbook', 'saved', ({ api, params, form }) =>
    api.send('PATCH', '/orgs/{org}/playbook/notes', { params, body: { notes: form.get('notes') ?? '' } }),
  ),
  orgForm('answered', 'saved', ({ api, params }) =>
    api.send('PATCH', '/orgs/{org}', { params, body: { trackingRequestedAt: null } }),
  ),
  orgForm('accounts/add', 'saved', ({ api, params, form }) =>
    api.send('POST', '/orgs/{org}/accounts', {
      params,
      body: { platform: given(form, 'platform'), handle: given(form, 'handle') },
    }),
  ),
  orgForm('accounts/remove', 'saved', ({ api, params, form }) =>
    api.send('DELETE', '/orgs/{org}/accounts/{platform}/{handle}', {
      params: { ...params, platform: form.get('platform') ?? '', handle: form.get('handle') ?? '' },
    }),
  ),
  {
    path: '/admin/orgs/{org}/delete',
    summary: 'delete an organization',
    access: 'write',
    page: orgEditorPage,
    run: async (visit) => {
      const { slug } = await visit.api.get('/orgs/{org}', { params: visit.params });
      requireConfirmed(visit, slug);
      await visit.api.send('DELETE', '/orgs/{org}', { params: visit.params });
      return { to: '/admin/orgs?done=deleted' };
    },
  },
];

function orgForm(verb: string, done: string, change: (visit: OperatorVisit) => Promise<unknown>): OperatorForm {
  return {
    path: `/admin/orgs/{org}/${verb}`,
    summary: `${verb.replace('/', ' ')} of an organization`,
    access: 'write',
    page: orgEditorPage,
    run: async (visit) => {
      await change(visit);
      return { to: `/admin/orgs/${encodeURIComponent(visit.params.org ?? '')}?done=${done}` };
    },
  };
}

const collectionForms: OperatorForm[] = [
  collectionForm('/admin/collections/create', 'created', ({ api, form }) =>
    api.send('POST', '/collections', {
      body: { name: given(form, 'name'), slug: given(form, 'slug'), description: given(form, 'description') },
    }),
  ),
  collectionForm('/admin/collections/{col}/edit', 'saved', async ({ api, params, form }) => {
    // Members first: where one of them does not exist, nothing of the form is stored.
    await api.send('PUT', '/collections/{col}/members', {
      params,
      body: { members: words(form, 'members').map(memberOf) },
    });
    const body = {
      name: given(form, 'name'),
      description: given(form, 'description') ?? null,
      isFeatured: form.has('isFeatured'),
    };
    await api.send('PATCH', '/collections/{col}', { params, body });
  }),
  collectionForm('/admin/collections/{col}/delete', 'deleted', async (visit) => {
    requireConfirmed(visit, visit.params.col ?? '');
    await visit.api.send('DELETE', '/collections/{col}', { params: visit.params });
  }),
];

function collectionForm(path: string, done: string, change: (visit: OperatorVisit) => Promise<unknown>): OperatorForm {
  return {
    path,
    summary: 'change a collection',
    access: 'write',
    page: collectionsEditorPage,
    run: async (visit) => {
      await change(visit);
      return { to: `/admin/collections?done=${done}` };
    },
  };
}

function memberOf(line: string): Record<string, string> {
  const [orgSlug = '', productSlug] = line.split('/');
  return productSlug ? { orgSlug, productSlug } : { orgSlug };
}

const noticeForm: OperatorForm = {
  path: '/admin/notice/save',
  summary: 'change the site notice',
  access: 'admin',
  page: noticePage,
  run: async (visit) => {
    const { api, form } = visit;
    if (form.has('preview')) return { body: await shownAgain(noticePage, visit) };
    await api.send('PUT', '/site-notice', {
      body: {
        active: form.has('active'),
        message: given(form, 'message'),
        linkText: given(form, 'linkText') ?? null,
        href: given(form, 'href') ?? null,
        placement: given(form, 'placement'),
        color: given(form, 'color'),
        dismissible: form.has('dismissible'),
      },
    });
    return { to: '/admin/notice?done=saved' };
  },
};

const shownAgain = async (page: OperatorPage, visit: OperatorVisit) => page.show(await page.load(visit), visit);

const tokenForms: OperatorForm[] = [
  {
    path: '/admin/tokens/create',
    summary: 'mint a token',
    access: 'admin',
    page: tokensPage,
    run: async ({ api, form }) => {
      const ends = given(form, 'expiresAt');
      const row = await api.send('POST', '/tokens', {
        body: {
          name: given(form, 'name'),
          scopes: [form.get('scope') ?? ''],
          ...(ends && { expiresAt: `${ends}T00:00:00.000Z` }),
        },
      });
      return { body: html`${createdToken(row)}` };
    },
  },
  {
    path: '/admin/tokens/{id}/revoke',
    summary: 'revoke a token',
    access: 'admin',
    page: tokensPage,
    run: async ({ api, params }) => {
      await api.send('POST', '/tokens/{id}/revoke', { params, body: {} });
      return { to: '/admin/tokens?done=revoked' };
    },
  },
];

const webhookForms: OperatorForm[] = [
  webhookForm('/admin/webhooks/{id}/test', 'replayed', ({ api, params }) =>
    api.send('POST', '/webhooks/{id}/test', { params, body: {} }),
  ),
  webhookForm('/admin/webhooks/{id}/pause', 'paused', ({ api, params }) =>
    api.send('PATCH', '/webhooks/{id}', { params, body: { enabled: false } }),
  ),
  webhookForm('/admin/webhooks/{id}/resume', 'saved', ({ api, params }) =>
    api.send('PATCH', '/webhooks/{id}', { params, body: { enabled: true } }),
  ),
  webhookForm('/admin/webhooks/dlq/{deliveryId}/replay', 'replayed', ({ api, params }) =>
    api.send('POST', '/webhooks/dlq/{deliveryId}/replay', { params, body: {} }),
  ),
  webhookForm('/admin/webhooks/dlq/{deliveryId}/dismiss', 'dismissed', ({ api, params }) =>
    api.send('DELETE', '/webhooks/dlq/{deliveryId}', { params }),
  ),
];

function webhookForm(path: string, done: string, change: (visit: OperatorVisit) => Promise<unknown>): OperatorForm {
  return {
    path,
    summary: 'change a webhook',
    access: 'admin',
    page: webhooksPage,
    run: async (visit) => {
      await change(visit);
      return { to: `/admin/webhooks?done=${done}` };
    },
  };
}

export const OPERATOR_FORMS: readonly OperatorForm[] = [
  ...sourceForms,
  ...productForms,
  ...releaseForms,
  addForm,
  ...orgForms,
  ...collectionForms,
  noticeForm,
  ...tokenForms,
  ...webhookForms,
];
