// /v1/docs: every operation of the API, made from the OpenAPI document. Complete without script; the script adds a
// filter and a form that sends requests.
import { setImmediate as pause } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { OpenApiDocument } from '../../http/openapi/document-types.ts';
import { anchor, apiCall, apiSchema, verb } from '../components/api-call.ts';
import { type Html, html } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { documentHtml } from '../frame/document.ts';
import { bareShell } from '../frame/read-shell.ts';

export async function referencePage(ctx: Context, document: OpenApiDocument): Promise<string> {
  const { baseUrl } = ctx.config;
  const { schemas, examples } = document.components;
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ baseUrl, path, method, operation })),
  );
  const groups = Map.groupBy(calls, ({ operation }) => operation.tags[0] ?? '');
  const sections: Html[] = [];
  for (const [tag, group] of groups) {
    // The pause lets other requests be answered between two sections.
    await pause();
    sections.push(
      html`<section class="call-group" id="${anchor('tag', tag)}"><h2>${tag}</h2>${group.map((call) => apiCall(call, examples))}</section>`,
    );
  }
  const links = [...groups].map(
    ([tag, group]) =>
      html`<h2><a href="#${anchor('tag', tag)}">${tag}</a></h2><ul>${group.map(({ method, path, operation }) => html`<li><a href="#${anchor('call', operation.operationId)}">${verb(method)}<span class="mono">${path.replace(/^\/v1/, '') || '/'}</span></a></li>`)}</ul>`,
  );
  const page = {
    name: 'api',
    head: {
      title: 'API reference',
      description: 'Every call of the registry’s API, with its parameters, answers and examples, to try in place.',
      canonical: '/v1/docs',
    },
    body: html`<div class="ref"><details class="nav-fold" tabindex="0"><summary>${icon('menu')}All calls</summary><nav class="side-nav" aria-label="API reference">${links}<h2><a href="#schemas">Schemas</a></h2></nav></details>
<div class="calls"><header class="read-head"><h1>API reference</h1><p class="lede">${String(document.info.title)} ${String(document.info.version)}: ${String(document.info.description)} Paths are under <code>${baseUrl}</code>. Calls with a scope need <code>Authorization: Bearer …</code>; the examples take it from <code>KEY</code>. Every error has the form <a href="#schema-Error">Error</a>. <a href="/v1/openapi.json">OpenAPI</a></p></header>
<form class="filter-row" id="tools" hidden><div class="field"><label for="filter">Find in calls, parameters and descriptions</label><input class="input" type="search" id="filter" autocomplete="off"></div><div class="field"><label for="token">Bearer value for trying</label><input class="input mono" type="password" id="token" autocomplete="off"></div><p class="small muted" id="found" role="status"></p></form>
${sections}<section class="call-group" id="schemas"><h2>Schemas</h2>${Object.entries(schemas).map(apiSchema)}</section></div></div>`,
  };
  // The page is rendered once for all readers.
  return String(documentHtml({ ...bareShell(ctx), path: '/v1/docs' }, page));
}
