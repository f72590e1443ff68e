// All calls of the API as links, group by group. The words that only a call's own page shows stand in an attribute, so
// that the filter finds calls by them.
import type { JsonSchema } from '../../contract/query.ts';
import type { ExampleCall } from '../../http/openapi/call-examples.ts';
import type { OpenApiDocument } from '../../http/openapi/document-types.ts';
import { callAnchor, groupPath, groupSlug } from '../../http/openapi/reference-paths.ts';
import { scopeBadge, verb } from './api-call.ts';
import { type Html, html } from './html.ts';
import { inlineCode } from './prose.ts';

type Schemas = OpenApiDocument['components']['schemas'];

export function callIndex(groups: ReadonlyMap<string, readonly ExampleCall[]>, schemas: Schemas): Html[] {
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
