// /source/{slug} and /sources/{id}: sources without an organization, and alternative paths of those that have one.

import type { Context } from '../../context.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import { type AddressedSource, addressedSource, sourcesOfBareSlug } from '../../entities/open.ts';
import { ambiguousSlug } from '../../entities/resolve.ts';
import type { Format } from '../../http/kernel/reply.ts';
import { sourceSubject } from '../../releases/atom/subjects.ts';
import { html } from '../components/html.ts';
import { segment } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import type { WebPage } from '../frame/document.ts';
import { sourceIdPath, sourcePath } from '../links.ts';
import { movedPage, type PageFormat, page } from '../page.ts';
import { changelogOf } from './changelog.ts';
import { highlightsOf } from './highlights.ts';
import { entityQuery, loadSource, showSource } from './source.ts';

type SourceParams = Record<string, string>;
type SubPage = '' | '/highlights' | '/changelog';

// A product with the same slug takes only the path of the releases page.
function pathOf({ id, slug, orgSlug, isCovered }: AddressedSource, sub: SubPage): string {
  return isCovered && sub === '' ? sourceIdPath(id) : `${sourcePath(orgSlug, slug)}${sub}`;
}

function namedSources(ctx: Context, name: string): Promise<AddressedSource[]> {
  return idPrefixOf(name) === 'src' ? addressedSource(ctx, name).then((one) => [one]) : sourcesOfBareSlug(ctx, name);
}

// A slug of one source redirects to its page. For a slug of several sources a browser gets a choice and a program an
// error.
function movedBare(sub: SubPage) {
  return async (ctx: Context, { source = '' }: SourceParams, format: Format): Promise<string | null> => {
    const [first, ...others] = await namedSources(ctx, source);
    if (first && others.length > 0 && format !== 'html') throw ambiguousSlug('source', source, [first, ...others]);
    if (!first || others.length > 0) return null;
    return first.orgSlug === null && first.slug === source ? null : pathOf(first, sub);
  };
}

async function singleSource(ctx: Context, slug: string): Promise<AddressedSource | null> {
  const [first, ...others] = await namedSources(ctx, slug);
  return others.length === 0 ? (first ?? null) : null;
}

async function choicesOf(ctx: Context, slug: string, sub: SubPage) {
  const found = await namedSources(ctx, slug);
  return { kind: 'choices' as const, slug, choices: found.map((one) => ({ ...one, path: pathOf(one, sub) })) };
}

type Choices = Awaited<ReturnType<typeof choicesOf>>;

function showChoices({ slug, choices }: Choices): WebPage {
  return {
    name: 'choices',
    status: 300,
    head: { title: `Sources named ${slug}`, robots: 'noindex, follow' },
    body: html`<h1>Sources named ${slug}</h1><p class="lede">Several organizations have a source of this name.</p><ul class="block linklist">${choices.map((choice) => html`<li><a href="${choice.path}">${choice.orgSlug}/${choice.slug}</a></li>`)}</ul>`,
  };
}

const sourceAnswer: PageFormat = async (ctx, { params: { source = '' }, request }) => {
  const id = (await singleSource(ctx, source))?.id ?? source;
  return (await request.forward(`/v1/sources/${segment(id)}`)).reply;
};

const sourceAtom = atomFeed({
  subject: async (ctx, { source = '' }) => sourceSubject(ctx, { src: (await singleSource(ctx, source))?.id ?? source }),
});

const formats = { json: sourceAnswer, md: sourceAnswer, atom: sourceAtom };

export const bareSourcePages = [
  page({
    path: '/source/{source}',
    summary: 'A source without an organization',
    dependsOn: 'resolved',
    query: entityQuery,
    moved: movedBare(''),
    formats,
    load: async (ctx, { params: { source = '' }, query }) => {
      const one = await singleSource(ctx, source);
      if (!one) return choicesOf(ctx, source, '');
      return { kind: 'source' as const, ...(await loadSource(ctx, { id: one.id, path: pathOf(one, '') }, query)) };
    },
    show: (data, shell, { query }) => (data.kind === 'choices' ? showChoices(data) : showSource(data, shell, query)),
  }),
  page({
    ...highlightsOf,
    path: '/source/{source}/highlights',
    moved: movedBare('/highlights'),
    load: async (ctx, { params: { source = '' } }) => {
      const one = await singleSource(ctx, source);
      return one
        ? { kind: 'source' as const, view: await highlightsOf.load(ctx, { src: one.id }) }
        : choicesOf(ctx, source, '/highlights');
    },
    show: (data, shell) => (data.kind === 'choices' ? showChoices(data) : highlightsOf.show(data.view, shell)),
  }),
  page({
    ...changelogOf,
    path: '/source/{source}/changelog',
    moved: movedBare('/changelog'),
    load: async (ctx, { params: { source = '' }, query }) => {
      const one = await singleSource(ctx, source);
      return one
        ? { kind: 'source' as const, view: await changelogOf.load(ctx, { src: one.id }, query) }
        : choicesOf(ctx, source, '/changelog');
    },
    show: (data, shell, { query }) =>
      data.kind === 'choices' ? showChoices(data) : changelogOf.show(data.view, shell, query),
  }),
  // The page is served here only when a product with the same slug has the usual path; otherwise it redirects.
  page({
    path: '/sources/{source}',
    summary: 'A source by its id',
    dependsOn: 'resolved',
    query: entityQuery,
    moved: async (ctx, { source = '' }) => {
      const one = await addressedSource(ctx, source);
      return one.isCovered ? null : pathOf(one, '');
    },
    formats,
    load: (ctx, { params: { source = '' }, query }) =>
      loadSource(ctx, { id: source, path: sourceIdPath(source) }, query),
    show: (data, shell, { query }) => showSource(data, shell, query),
  }),
  ...(['/highlights', '/changelog'] as const).map((sub) =>
    movedPage(`/sources/{source}${sub}`, async (ctx, { source = '' }) =>
      pathOf(await addressedSource(ctx, source), sub),
    ),
  ),
];
