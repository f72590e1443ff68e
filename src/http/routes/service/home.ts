// The page at the root: what this registry holds and where to go on. A client that prefers JSON gets the API index.
import type { Context } from '../../../context.ts';
import { negotiate } from '../../../domain/accept.ts';
import { type Answer, createAnswer, JSON_TYPE } from '../../kernel/answer.ts';
import type { Exchange } from '../../kernel/exchange.ts';
import { PRIVATE } from '../../kernel/headers.ts';
import { escapeHtml, htmlPage, pageHeaders } from '../../kernel/html.ts';

export interface Counts {
  orgs: number;
  products: number;
  sources: number;
  releases: number;
}

interface Home {
  ctx: Context;
  index: Record<string, unknown>;
  counts: ((ctx: Context) => Promise<Counts>) | null;
  stylesheet: string;
}

const VARY = ['Accept', 'Cookie', 'Accept-Encoding'];

export async function homeAnswer(home: Home, exchange: Exchange): Promise<Answer> {
  const { config } = home.ctx;
  if (negotiate(exchange.request.headers.accept, ['text/html', 'application/json']) === 'application/json') {
    const headers: [string, string][] = [
      ['Content-Type', JSON_TYPE],
      ['Cache-Control', PRIVATE],
    ];
    return createAnswer({ status: 200, headers, vary: VARY, body: JSON.stringify(home.index), tagged: true });
  }
  const body = homePage(home, home.counts ? await home.counts(home.ctx) : null);
  const cache = exchange.personal ? PRIVATE : 'public, max-age=60, stale-while-revalidate=300';
  const headers: [string, string][] = [...Object.entries(pageHeaders(config)), ['Cache-Control', cache]];
  return createAnswer({ status: 200, headers, vary: VARY, body, tagged: true });
}

function homePage({ ctx, stylesheet }: Home, counts: Counts | null): string {
  const { siteName, contact } = ctx.config;
  const name = escapeHtml(siteName);
  const figures = counts ? `<dl class="figures">${Object.entries(counts).map(figure).join('')}</dl>` : '';
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
