// Forms that create, fetch, pause, hide and delete sources.
import { ApiError } from '../../../contract/errors.ts';
import type { OperatorForm, OperatorVisit } from '../../operator/visit.ts';
import { addPage } from '../../pages/operator/add.ts';
import { sourcesPage } from '../../pages/operator/sources.ts';
import { back, given, type Named, requireConfirmed } from './fields.ts';

// A change of one field of a source.
interface SourceChange {
  verb: string;
  done: string;
  body: Record<string, unknown>;
}

const SOURCE_CHANGES: readonly SourceChange[] = [
  { verb: 'pause', done: 'paused', body: { fetchPriority: 'paused' } },
  { verb: 'resume', done: 'resumed', body: { fetchPriority: 'normal' } },
  { verb: 'hide', done: 'hidden', body: { isHidden: true } },
  { verb: 'show', done: 'shown', body: { isHidden: false } },
];

export const sourceForms: OperatorForm[] = [
  {
    path: '/admin/sources/{src}/fetch',
    summary: 'fetch a source now',
    access: 'write',
    page: sourcesPage,
    run: async (visit) => {
      const { queued } = await visit.api.send<{ queued?: boolean }>('POST', '/sources/{src}/fetch', {
        params: visit.params,
        body: {},
      });
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
      const { slug } = await visit.api.get<Named>('/sources/{src}', { params: visit.params });
      requireConfirmed(visit, slug);
      await visit.api.send('DELETE', '/sources/{src}', { params: visit.params });
      return back(visit, '/admin/sources', 'deleted');
    },
  },
];

export const addForm: OperatorForm = {
  path: '/admin/add/create',
  summary: 'create a source from an address',
  access: 'admin',
  page: addPage,
  run: async (visit) => {
    const { form, api } = visit;
    const orgSlug = given(form, 'orgSlug') ?? '';
    await createMissingOrg(visit, orgSlug);
    const feedUrl = given(form, 'feedUrl');
    const source = await api.send<Named>('POST', '/sources', {
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
