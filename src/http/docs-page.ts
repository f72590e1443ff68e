// The reference as one page, complete without script; the script adds a filter and a form to try a call.
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { JsonSchema } from '../contract/query.ts';
import { escapeHtml, htmlPage, pageHeaders } from './html.ts';
import type { OpenApiDocument, Operation } from './openapi.ts';
import type { Parameter } from './openapi-parameters.ts';
import { Reply, type RouteDeclaration, route } from './route.ts';
import { schemaText } from './schema-text.ts';

export interface DocsParts {
  config: Config;
  // Known once all routes are, this one included.
  document: () => Promise<OpenApiDocument>;
  stylesheet: string;
  script: string;
}

export function docsRoute(parts: DocsParts): RouteDeclaration {
  let page: string | null = null;
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
    run: async () => {
      page ??= await docsPage(parts);
      return new Reply(200, page, pageHeaders(parts.config));
    },
  });
}

async function docsPage({ config, document: describe, stylesheet, script }: DocsParts): Promise<string> {
  const document = await describe();
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '');
  const sections = [...groups].map(
    ([tag, group]) =>
      `<section id="${anchor('tag', tag)}"><h2>${escapeHtml(tag)}</h2>\n${group.map(operationHtml).join('\n')}\n</section>`,
  );
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
<p>${escapeHtml(String(document.info.description))} Paths are under <code>${escapeHtml(config.baseUrl)}</code>. Operator calls need
<code>Authorization: Bearer …</code>. Every error has the form <a href="#schema-Error">Error</a>.</p>
<form id="tools" hidden><label>Find a call <input type="search" id="filter" autocomplete="off"></label>
<label>Bearer value for trying <input type="password" id="token" autocomplete="off"></label></form>
${sections.join('\n')}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(document.components.schemas).map(schemaHtml).join('\n')}
</section>
</main>
</div>`,
  });
}

function operationHtml({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const id = anchor('call', operation.operationId);
  const scope = operation['x-scope'] ? `<span class="scope">${operation['x-scope']}</span>` : '';
  const data = `data-method="${method.toUpperCase()}" data-path="${escapeHtml(path)}"`;
  return `<details class="call" id="${id}" ${data}>
<summary><b class="method ${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation.summary)}</span>${scope}</summary>
${parametersHtml(operation.parameters)}
${bodyHtml(operation)}
<h4>Answers</h4>
<dl>${Object.entries(operation.responses).map(responseHtml).join('')}</dl>
</details>`;
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr data-name="${escapeHtml(name)}" data-in="${place}"><th scope="row"><code>${escapeHtml(name)}</code>${required ? ' *' : ''}</th><td>${place}</td><td>${schemaText(schema)}</td><td>${escapeHtml(description ?? '')}</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Form</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function bodyHtml({ requestBody }: Operation): string {
  const json = requestBody?.content['application/json'] as { schema: JsonSchema } | undefined;
  return json ? `<h4>Body</h4><pre data-body>${schemaText(json.schema)}</pre>` : '';
}

function responseHtml([status, response]: [string, Operation['responses'][string]]): string {
  const { content = {}, description } = response;
  const types = Object.keys(content).filter((type) => type !== 'application/json');
  const schema = content['application/json']?.schema;
  const form = schema && Number(status) < 400 ? `<pre>${schemaText(schema)}</pre>` : '';
  const also = types.length > 0 ? ` (also ${types.join(', ')})` : '';
  return `<dt>${status}</dt><dd>${escapeHtml(description)}${also}${form}</dd>`;
}

function schemaHtml([name, schema]: [string, JsonSchema]): string {
  return `<details class="schema" id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary><pre>${schemaText(schema)}</pre></details>`;
}

function anchor(kind: string, name: string): string {
  return `${kind}-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}
