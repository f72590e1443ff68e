// One operation of the API reference: description and parameters on the left, example requests and the response on the
// right.
import type { JsonSchema } from '../../contract/query.ts';
import { highlightCode } from '../../domain/markdown-html/highlight-code.ts';
import { curlExample, type ExampleCall, sampleBody, scriptExample } from '../../http/openapi/call-examples.ts';
import type { Example, OpenApiDocument, Operation } from '../../http/openapi/document-types.ts';
import type { Parameter } from '../../http/openapi/parameters.ts';
import { schemaText } from '../../http/openapi/schema-text.ts';
import { type Html, html, raw } from './html.ts';
import { icon } from './icon.ts';
import { inlineCode } from './prose.ts';

type Examples = OpenApiDocument['components']['examples'];

export function apiCall(call: ExampleCall, examples: Examples): Html {
  const { method, path, operation } = call;
  const id = anchor('call', operation.operationId);
  const scope = operation['x-scope'] ? html` <span class="badge line">${operation['x-scope']}</span>` : '';
  return html`<details class="call" id="${id}" data-method="${method.toUpperCase()}" data-path="${path}">
<summary>${verb(method)}<code>${path}</code><span class="call-sum">${inlineCode(operation.summary)}${scope}</span></summary>
<div class="op"><div><p class="lede">${inlineCode(operation.description)}</p>
${operation.parameters.length > 0 ? html`<h3>Parameters</h3><ul class="params">${operation.parameters.map(parameterItem)}</ul>` : ''}
${bodyPart(operation)}
<h3>Answers</h3><ul class="params">${Object.entries(operation.responses).map(answerItem)}</ul></div>
<div class="op-side"><div data-try></div>${requestExamples(call, id)}${answerExample(operation, examples)}</div></div>
</details>
`;
}

export function verb(method: string): Html {
  const word = method.toUpperCase();
  return html`<span class="verb ${method}">${word === 'DELETE' ? 'DEL' : word}</span>`;
}

export function apiSchema([name, schema]: [string, JsonSchema]): Html {
  const words = typeof schema.description === 'string' ? html`<p>${inlineCode(schema.description)}</p>` : '';
  return html`<details class="schema" id="schema-${name}"><summary><code>${name}</code></summary>${words}${fields(schema)}</details>
`;
}

export function anchor(kind: string, name: string): string {
  return `${kind}-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}

function parameterItem({ name, in: location, required, description = '', schema }: Parameter): Html {
  return html`<li data-name="${name}" data-in="${location}"><p class="name"><code>${name}</code><span class="type">${raw(schemaText(schema))}</span>${location === 'query' ? '' : html`<span class="type">${location}</span>`}${required ? html`<span class="req">required</span>` : ''}</p>${description ? html`<p>${inlineCode(description)}</p>` : ''}</li>`;
}

function bodyPart(operation: Operation): Html {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return '';
  const sample = JSON.stringify(sampleBody(operation) ?? {}, null, 2);
  return html`<h3>Body</h3>${fields(schema)}<template data-body>${sample}</template>`;
}

function answerItem([status, { content = {}, description }]: [string, Operation['responses'][string]]): Html {
  const types = Object.keys(content).filter((type) => type !== 'application/json');
  const [media] = Object.values(content);
  return html`<li><p class="name"><code>${status}</code><span class="type">${types.join(', ')}</span></p><p>${inlineCode(description)}</p>${media && Number(status) < 400 ? fields(media.schema) : ''}</li>`;
}

// Lists the fields of an object with their descriptions; any other schema is described by its type only.
function fields(schema: JsonSchema): Html {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return html`<p class="form-of mono">${raw(schemaText(schema))}</p>`;
  const required = new Set(schema.required);
  const items = properties.map(
    ([name, field]) =>
      html`<li><p class="name"><code>${name}</code><span class="type">${raw(schemaText(field, 1))}${required.has(name) ? '' : ', optional'}</span></p>${field.description ? html`<p>${inlineCode(String(field.description))}</p>` : ''}</li>`,
  );
  return html`<details class="fold"><summary>${icon('chevron')}${properties.length} fields</summary><ul class="params">${items}</ul></details>`;
}

// The tabs are radio inputs, so that they need no script.
function requestExamples(call: ExampleCall, id: string): Html {
  const panes = [
    { name: 'curl', text: curlExample(call), language: 'bash' },
    { name: 'JavaScript', text: scriptExample(call), language: 'js' },
  ];
  return html`<div class="code switch">${panes.map(({ name }, index) => html`<input type="radio" name="${id}" id="${id}-${index}" aria-label="${name}"${index === 0 ? html` checked` : ''}>`)}<div class="code-head"><span class="opts">${panes.map(({ name }, index) => html`<label for="${id}-${index}">${name}</label>`)}</span></div>${panes.map(({ text, language }, index) => html`<div class="pane p${index + 1}"><pre tabindex="0"><code>${coloured(text, language)}</code></pre></div>`)}</div>`;
}

function answerExample({ responses }: Operation, examples: Examples): Html {
  const found = Object.entries(responses).find(([status]) => Number(status) < 400);
  const [media] = Object.values(found?.[1].content ?? {});
  const value = exampleValue(media?.examples?.sample, examples);
  if (!found || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return html`<div class="code"><div class="code-head"><span class="status-ok">${found[0]}</span></div><pre class="tall" tabindex="0"><code>${coloured(text, typeof value === 'string' ? '' : 'json')}</code></pre></div>`;
}

function exampleValue(example: Example | undefined, examples: Examples): unknown {
  if (!example) return undefined;
  return '$ref' in example ? exampleValue(examples[example.$ref.replace(/^.*\//, '')], examples) : example.value;
}

function coloured(text: string, language: string): Html {
  const marked = highlightCode(text, language);
  return marked === null ? html`${text}` : raw(marked);
}
