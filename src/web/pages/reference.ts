// /v1/docs and below: the API reference, made from the OpenAPI document. It opens with a guide and links to all calls;
// each group of calls and each schema has a page of its own. Complete without script; the script adds a filter and a
// form that sends requests.

import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { JsonSchema } from '../../contract/query.ts';
import type { ExampleCall } from '../../http/openapi/call-examples.ts';
import type { OpenApiDocument } from '../../http/openapi/document-types.ts';
import type { ReferencePages } from '../../http/openapi/reference-pages.ts';
import {
  callAnchor,
  GROUPS,
  groupPath,
  groupSlug,
  REFERENCE_PATH,
  SCHEMAS_PATH,
  schemaPath,
} from '../../http/openapi/reference-paths.ts';
import { apiCalls, scopeBadge, verb } from '../components/api-call.ts';
import { fieldList } from '../components/api-schema.ts';
import { type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { command, crumbs } from '../components/parts.ts';
import { inlineCode } from '../components/prose.ts';
import { breadcrumbs, documentHtml } from '../frame/document.ts';
import { bareShell } from '../frame/read-shell.ts';

const REFERENCE = { name: 'API reference', path: REFERENCE_PATH };
const SCHEMAS = { name: 'Schemas', path: SCHEMAS_PATH };

interface ReferencePage {
  title: string;
  description: string;
  // The pages above this one, and the page itself.
  trail: readonly { name: string; path: string }[];
  body: Html;
}

export const referencePages: ReferencePages = {
  guide: (ctx, document) => {
    const groups = groupsOf(ctx, document);
    const count = [...groups.values()].flat().length;
    return written(ctx, document, {
      title: REFERENCE.name,
      description: 'First calls, and every call of the registry’s API with its parameters, answers and examples.',
      trail: [REFERENCE],
      body: html`<header class="read-head"><h1>API reference</h1><p class="lede">${String(document.info.title)} ${String(document.info.version)}: ${String(document.info.description)} <a href="#calls">All ${plural(count, 'call')}</a></p></header>
${apiGuide(ctx.config)}<h2 class="all-calls" id="calls">All ${plural(count, 'call')}</h2>
<form class="filter-row" id="tools" hidden><div class="field"><label for="filter">Find in calls, parameters and descriptions</label><input class="input" type="search" id="filter" autocomplete="off"></div><p class="small muted" id="found" role="status"></p></form>
${callIndex(groups, document.components.schemas)}`,
    });
  },

  group: (ctx, document, slug) => {
    const [tag, calls] = [...groupsOf(ctx, document)].find(([name]) => groupSlug(name) === slug) ?? [];
    if (tag === undefined || calls === undefined) throw notFound('group of calls', slug);
    return written(ctx, document, {
      title: `${tag} API`,
      description: `The calls of the group ${tag} with their parameters, answers and examples, to try in place.`,
      trail: [REFERENCE, { name: tag, path: groupPath(tag) }],
      body: html`<header class="read-head"><h1>${tag}</h1><p class="lede">${plural(calls.length, 'call')}. Open one for its parameters, answers and examples.</p></header>
<form class="filter-row" id="tools" hidden><div class="field"><label for="token">Key for trying calls</label><input class="input mono" type="password" id="token" autocomplete="off"></div></form>
<section class="call-group"><h2 class="sr">Calls</h2>${apiCalls(calls, document.components.examples)}</section>`,
    });
  },

  schemas: (ctx, document) => {
    const names = Object.keys(document.components.schemas);
    return written(ctx, document, {
      title: 'API schemas',
      description: 'Every schema that calls of the registry’s API take or answer.',
      trail: [REFERENCE, SCHEMAS],
      body: html`<header class="read-head"><h1>Schemas</h1><p class="lede">What calls take and answer: ${plural(names.length, 'schema')}.</p></header>
<ul class="schema-list">${names.map((name) => html`<li id="schema-${name}"><a href="${schemaPath(name)}"><code>${name}</code></a></li>`)}</ul>`,
    });
  },

  schema: (ctx, document, name) => {
    const { schemas } = document.components;
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema) throw notFound('schema', name);
    return written(ctx, document, {
      title: `${name} API schema`,
      description: `The fields of ${name}, with their types and meanings.`,
      trail: [REFERENCE, SCHEMAS, { name, path: schemaPath(name) }],
      body: html`<header class="read-head"><h1>${name}</h1>${typeof schema.description === 'string' ? html`<p class="lede">${inlineCode(schema.description)}</p>` : ''}</header>
${fieldList(schema)}`,
    });
  },
};

// The calls by group, and in a group first those that need no credential.
function groupsOf(ctx: Context, document: OpenApiDocument): Map<string, ExampleCall[]> {
  const { baseUrl } = ctx.config;
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ baseUrl, path, method, operation })),
  );
  const needsCredential = ({ operation }: ExampleCall) => Number(operation['x-scope'] !== undefined);
  const openFirst = calls.toSorted((a, b) => needsCredential(a) - needsCredential(b));
  const byTag = Map.groupBy(openFirst, ({ operation }) => operation.tags[0] ?? '');
  return new Map(inOrder([...byTag.keys()]).map((tag) => [tag, byTag.get(tag) ?? []]));
}

// A group that has no place in the order comes last.
function inOrder(tags: readonly string[]): string[] {
  const place = (tag: string) => (GROUPS.includes(tag) ? GROUPS.indexOf(tag) : GROUPS.length);
  return tags.toSorted((a, b) => place(a) - place(b));
}

function written(ctx: Context, document: OpenApiDocument, { title, description, trail, body }: ReferencePage): string {
  const above = trail.slice(0, -1);
  const here = trail.at(-1) ?? REFERENCE;
  const shell = { ...bareShell(ctx), path: here.path };
  const page = {
    name: 'api',
    head: { title, description, canonical: here.path, jsonLd: [breadcrumbs(shell, trail)] },
    body: html`${above.length > 0 ? crumbs(above, here.name) : ''}<div class="ref">${sideNav(document, trail)}
<div class="calls">${body}</div></div>`,
  };
  return String(documentHtml(shell, page));
}

function sideNav({ tags }: OpenApiDocument, trail: ReferencePage['trail']): Html {
  const [, place] = trail;
  const link = (name: string, path: string) => {
    const isHere = path === (place?.path ?? REFERENCE_PATH);
    const current = trail.at(-1)?.path === path ? 'page' : 'true';
    return html`<a href="${path}"${isHere ? html` aria-current="${current}"` : ''}>${name}</a>`;
  };
  return html`<details class="nav-fold" tabindex="0"><summary>${icon('menu')}Groups of calls</summary><nav class="side-nav" aria-label="API reference"><h2>${link('Guide and all calls', REFERENCE_PATH)}</h2><ul>${inOrder(tags.map(({ name }) => name)).map((name) => html`<li>${link(name, groupPath(name))}</li>`)}</ul><h2>${link(SCHEMAS.name, SCHEMAS_PATH)}</h2></nav></details>`;
}

// The guide that the API reference opens with: what to know before the first call.

function apiGuide({ baseUrl, rates }: Pick<Config, 'baseUrl' | 'rates'>): Html {
  return html`<section class="guide" id="guide">
<h2 id="first-calls">First calls</h2>
<p>Reading needs no account. Copy a line and run it:</p>
${command(`curl '${baseUrl}/v1/releases/latest?count=5'`, 'The five newest releases')}
${command(`curl '${baseUrl}/v1/search?q=websocket+reconnect'`, 'Search releases and changelogs')}
<p>What changes between two versions? Enter the name and the versions of a package that you use:</p>
${command(`curl '${baseUrl}/v1/whats-changed?package=acme-cli&from=1.4.0&to=latest'`, 'What changes between two versions')}
<h2 id="base-address">Base address</h2>
<p>All paths below start at <code>${baseUrl}</code>. Answers are JSON; many reads also answer as markdown when you send <code>Accept: text/markdown</code>. <a href="/v1/openapi.json">openapi.json</a> describes every call for programs, and the <a href="/docs/api">API guide</a> tells more about ids, dates and the live stream.</p>
<h2 id="authentication">Authentication</h2>
<p>A call with a mark such as <span class="badge line">account</span> or <span class="badge line">write</span> needs a credential, and its description says which one. Make an <a href="/login?next=%2Faccount%2Fkeys">API key</a> for your account; machine tokens come from the operator of this registry. Send it as a header. The examples read it from <code>KEY</code>:</p>
${command(`curl -H "Authorization: Bearer $KEY" '${baseUrl}/v1/me'`, 'A call with a key')}
<h2 id="errors">Errors</h2>
<p>A call that fails has a status of 400 or above and a body of the form <a href="${schemaPath('Error')}">Error</a>. Test for <code>error.code</code>, which keeps its meaning; <code>error.message</code> is for people and may change. <a href="/docs/errors">All codes, and what to do about each status</a></p>
<h2 id="paging">Paging</h2>
<p>Feeds of releases answer <code>pagination.nextCursor</code>: pass it as <code>cursor</code> for the next page, until it is <code>null</code>. Other lists take <code>page</code> and <code>limit</code>; <code>pagination.hasMore</code> says whether another page follows.</p>
<h2 id="limits">Limits</h2>
<p>${limitWords(rates)} <code>RateLimit</code> says how many reads are left. After a 429, wait as many seconds as <code>Retry-After</code> says.</p>
</section>
`;
}

// Zero means that there is no limit.
function limitWords(rates: Config['rates']): string {
  const words = (rate: number) => (rate === 0 ? 'as many reads as you like' : `${plural(rate, 'read')} a minute`);
  return `Without a key: ${words(rates.public)} from one address. With a key of your account: ${words(rates.account)}. With a machine token: ${words(rates.token)}.`;
}

// All calls of the API as links, group by group. The words that only a call's own page shows stand in an attribute, so
// that the filter finds calls by them.

type Schemas = OpenApiDocument['components']['schemas'];

function callIndex(groups: ReadonlyMap<string, readonly ExampleCall[]>, schemas: Schemas): Html[] {
  return [...groups].map(
    ([tag, calls]) =>
      html`<section class="call-group" id="tag-${groupSlug(tag)}"><h3><a href="${groupPath(tag)}">${tag}</a></h3><ul class="call-list">${calls.map((call) => callLink(call, schemas))}</ul></section>
`,
  );
}

function callLink(call: ExampleCall, schemas: Schemas): Html {
  const { method, path, operation } = call;
  const id = callAnchor(operation.operationId);
  return html`<li id="${id}" data-words="${hiddenWords(call, schemas)}"><a href="${groupPath(operation.tags[0] ?? '')}#${id}">${verb(method)}<code>${path}</code><span class="call-sum">${inlineCode(operation.summary)}${scopeBadge(operation)}</span></a></li>
`;
}

// Each word of the description, the parameters and the fields of the body once, without those that the link shows.
function hiddenWords({ path, operation }: ExampleCall, schemas: Schemas): string {
  const body = resolved(operation.requestBody?.content['application/json']?.schema, schemas);
  const texts = [
    operation.description,
    ...operation.parameters.flatMap(({ name, description = '' }) => [name, description]),
    ...Object.entries(body?.properties ?? {}).flatMap(([name, field]) => [name, String(field.description ?? '')]),
  ];
  const shown = `${path} ${operation.summary}`.toLowerCase();
  const words = texts.flatMap((text) => text.toLowerCase().split(/[\s`"“”,;:()]+/));
  const bare = words.map((word) => word.replace(/\.$/, ''));
  return [...new Set(bare)].filter((word) => !shown.includes(word)).join(' ');
}

function resolved(schema: JsonSchema | undefined, schemas: Schemas): JsonSchema | undefined {
  return typeof schema?.$ref === 'string' ? schemas[schema.$ref.replace(/^.*\//, '')] : schema;
}
