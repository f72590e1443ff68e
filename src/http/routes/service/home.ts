// The page at the root: what this registry holds and where to go on. A client that prefers JSON gets the API index.
import type { Context } from '../../../context.ts';
import { PRIVATE } from '../../kernel/headers.ts';
import { escapeHtml, htmlPage } from '../../kernel/page.ts';
import { Reply } from '../../kernel/reply.ts';
import { type RouteDeclaration, route } from '../../kernel/route.ts';

export interface Counts {
  orgs: number;
  products: number;
  sources: number;
  releases: number;
}

interface HomeParts {
  index: Record<string, unknown>;
  counts: (ctx: Context) => Promise<Counts>;
  stylesheet: string;
}

export function homeRoute({ index, counts, stylesheet }: HomeParts): RouteDeclaration {
  return route({
    method: 'GET',
    path: '/',
    summary: 'The home page',
    tag: 'Pages',
    access: 'public',
    query: null,
    answers: null,
    cache: [60, 300],
    negotiates: ['html', 'json'],
    html: (answer: Counts, _input, ctx) => homePage(ctx, answer, stylesheet),
    json: () => new Reply(200, JSON.stringify(index), { 'Cache-Control': PRIVATE }),
    run: async (ctx, _input, { format }) => (format === 'html' ? counts(ctx) : null),
  });
}

function homePage({ config }: Context, counts: Counts, stylesheet: string): string {
  const { siteName, contact } = config;
  const name = escapeHtml(siteName);
  const figures = `<dl class="figures">${Object.entries(counts).map(figure).join('')}</dl>`;
  return htmlPage({
    title: siteName,
    stylesheet,
    body: `<main class="home">
<h1>${name}</h1>
<p class="lead">What changed? A registry of software changelogs: who released what, when, and whether it breaks anything.</p>
${figures}
<nav aria-label="Entrances">
<ul class="cards">
<li><a href="/v1/docs">API reference</a><p>Every call, with its parameters and answers, to try in place.</p></li>
<li><a href="/v1/releases/latest">Latest releases</a><p>The newest entries of all sources, as JSON or markdown.</p></li>
<li><a href="/v1/orgs">Organisations</a><p>Who publishes here, and how much.</p></li>
<li><a href="/v1/openapi.json">OpenAPI description</a><p>The same for machines.</p></li>
</ul>
</nav>
${contact ? `<footer>Contact: ${escapeHtml(contact)}</footer>` : ''}
</main>`,
  });
}

function figure([name, value]: [string, number]): string {
  return `<div><dt>${name}</dt><dd>${value.toLocaleString('en')}</dd></div>`;
}
