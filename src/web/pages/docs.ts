// /docs and /docs/{page}: guides for users of the API and for operators.
import { notFound } from '../../contract/errors.ts';
import { frontMatter } from '../../domain/front-matter.ts';
import { contents } from '../components/contents.ts';
import { html } from '../components/html.ts';
import { crumbs } from '../components/parts.ts';
import { inlineCode, renderedNotes } from '../components/prose.ts';
import { markdownReply } from '../formats/markdown.ts';
import { breadcrumbs } from '../frame/document.ts';
import { GUIDES, type Guide, guideText } from '../guides.ts';
import { page } from '../page.ts';

const DOCS = { name: 'Docs', path: '/docs' };

export const docsPage = page({
  path: '/docs',
  summary: 'All guides',
  load: async () => GUIDES,
  show: (guides) => ({
    name: 'docs',
    head: {
      title: 'Docs',
      description: 'How to read this registry with programs, and how to run one.',
      canonical: '/docs',
    },
    body: html`<h1>Docs</h1><p class="lede">How to read this registry with programs, and how to run one.</p><div class="block cards">${guides.map(({ slug, title, description }) => html`<a class="card" href="/docs/${slug}"><h2><span>${title}</span></h2><p>${inlineCode(description)}</p></a>`)}<a class="card" href="/v1/docs"><h2><span>API reference</span></h2><p>Every call with its parameters and answers, to try in place.</p></a></div>`,
  }),
});

function guideOf(slug: string): Guide {
  const guide = GUIDES.find((known) => known.slug === slug);
  if (!guide) throw notFound('guide', slug);
  return guide;
}

export const guidePage = page({
  path: '/docs/{page}',
  summary: 'A guide',
  moved: async (_ctx, { page: slug = '' }) => {
    const known = guideOf(slug.toLowerCase()).slug;
    return known === slug ? null : `/docs/${known}`;
  },
  formats: {
    md: async ({ config }, { params, path }) => {
      const guide = guideOf(params.page ?? '');
      const front = frontMatter({ title: guide.title, slug: guide.slug, url: `${config.webUrl}${path}` });
      return markdownReply(`${front}\n# ${guide.title}\n\n${guideText(guide, config)}\n`);
    },
  },
  load: async ({ config }, { params }) => {
    const guide = guideOf(params.page ?? '');
    return { guide, notes: await renderedNotes({ content: guideText(guide, config), base: `${config.webUrl}/docs/` }) };
  },
  show: ({ guide, notes }, shell) => {
    const path = `/docs/${guide.slug}`;
    return {
      name: 'guide',
      head: {
        title: guide.title,
        description: guide.description,
        canonical: path,
        forms: ['md'],
        jsonLd: [breadcrumbs(shell, [DOCS, { name: guide.title, path }])],
      },
      body: html`${crumbs([DOCS], guide.title)}<div class="sheet">${contents(notes.headings, 'In this guide')}
<article class="article"><header class="read-head"><h1>${guide.title}</h1></header><div class="prose">${notes.html}</div></article>
<aside class="panel" aria-label="Guides"><section><h2>Guides</h2><ul class="linklist">${GUIDES.map(({ slug, title }) => html`<li><a href="/docs/${slug}"${slug === guide.slug ? html` aria-current="page"` : ''}>${title}</a></li>`)}</ul></section></aside></div>`,
    };
  },
});
