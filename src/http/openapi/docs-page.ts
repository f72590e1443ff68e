// The reference as one page, complete without script; the script adds a filter and a form to try a call.
import { setImmediate as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { escapeHtml, htmlPage, pageHeaders } from '../kernel/page.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';
import { anchor, operationHtml, schemaHtml } from './docs-operation.ts';
import type { OpenApiDocument } from './document.ts';

interface DocsParts {
  config: Config;
  // Known once all routes are, this one included.
  document: () => Promise<OpenApiDocument>;
  stylesheet: string;
  script: string;
  // Draws the page in the design of the site; without it a plain one is served.
  draw?: ReferenceWriter;
}

export type ReferenceWriter = (ctx: Context, document: OpenApiDocument) => Promise<string>;

export function docsRoute(parts: DocsParts): RouteDeclaration {
  let page: Promise<string> | null = null;
  return route({
    method: 'GET',
    path: '/docs',
    summary: 'Reference for people',
    description: 'This description as a page with examples for each call and a form to try it.',
    tag: 'Machine descriptions',
    access: 'public',
    answers: { 200: z.string() },
    mediaType: 'text/html',
    example: '<!doctype html><title>API reference</title>',
    cache: [86_400, 300],
    run: async (ctx) => {
      const { draw } = parts;
      page ??= draw ? parts.document().then((document) => draw(ctx, document)) : docsPage(parts);
      return new Reply(200, await page, pageHeaders());
    },
  });
}

async function docsPage({ config, document: describe, stylesheet, script }: DocsParts): Promise<string> {
  const document = await describe();
  const { schemas, examples } = document.components;
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ baseUrl: config.baseUrl, path, method, operation })),
  );
  const groups = Map.groupBy(calls, ({ operation }) => operation.tags[0] ?? '');
  const sections: string[] = [];
  for (const [tag, group] of groups) {
    // Other requests are answered between two sections.
    await pause();
    const entries = group.map((call) => operationHtml(call, examples)).join('\n');
    sections.push(`<section id="${anchor('tag', tag)}"><h2>${escapeHtml(tag)}</h2>\n${entries}\n</section>`);
  }
  const links = [...groups.keys()].map((tag) => `<li><a href="#${anchor('tag', tag)}">${escapeHtml(tag)}</a></li>`);
  return htmlPage({
    title: `API reference · ${config.siteName}`,
    stylesheet,
    script,
    body: `<header class="bar"><a href="/">${escapeHtml(config.siteName)}</a> <span>API reference</span>
<a href="/v1/openapi.json">OpenAPI</a></header>
<div class="reference">
<nav aria-label="Sections"><ul>${links.join('')}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main>
<h1>${escapeHtml(String(document.info.title))}</h1>
<p>${escapeHtml(String(document.info.description))} Paths are under <code>${escapeHtml(config.baseUrl)}</code>. Calls with a scope need
<code>Authorization: Bearer …</code>; the examples take it from <code>KEY</code>. Every error has the form <a href="#schema-Error">Error</a>.</p>
<form id="tools" hidden><label>Find in calls, parameters and descriptions <input type="search" id="filter" autocomplete="off"></label>
<p id="found" role="status"></p>
<label>Bearer value for trying <input type="password" id="token" autocomplete="off"></label></form>
${sections.join('\n')}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(schemas).map(schemaHtml).join('\n')}
</section>
</main>
</div>`,
  });
}
