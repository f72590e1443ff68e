// One operation of the API reference: description and parameters on the left, example requests and the response on the
// right.
import { highlightCode } from '../../domain/markdown-html/highlight-code.ts';
import { curlExample, type ExampleCall, sampleBody, scriptExample } from '../../http/openapi/call-examples.ts';
import type { Example, OpenApiDocument, Operation } from '../../http/openapi/document-types.ts';
import type { Parameter } from '../../http/openapi/parameters.ts';
import { callAnchor } from '../../http/openapi/reference-paths.ts';
import { schemaText } from '../../http/openapi/schema-text.ts';
import { foldedFields } from './api-schema.ts';
import { type Html, html, raw } from './html.ts';
import { inlineCode } from './prose.ts';

type Examples = OpenApiDocument['components']['examples'];

// The calls of one group. A call that answers what a call above it answers refers to that one's example.
export function apiCalls(calls: readonly ExampleCall[], examples: Examples): Html[] {
  const shown = new Map<string, ExampleCall>();
  return calls.map((call) => {
    const answer = answerExample(call.operation, examples);
    const earlier = answer && shown.get(answer.text);
    if (answer && !earlier) shown.set(answer.text, call);
    return apiCall(call, earlier ? sameAnswer(earlier) : answer ? answerPane(answer) : '');
  });
}

function apiCall(call: ExampleCall, answer: Html): Html {
  const { method, path, operation } = call;
  const id = callAnchor(operation.operationId);
  const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
  const answers = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  return html`<details class="call" id="${id}" data-method="${method.toUpperCase()}" data-path="${path}">
<summary>${verb(method)}<code>${path}</code><span class="call-sum">${inlineCode(operation.summary)}${scopeBadge(operation)}</span></summary>
<div class="op"><div><p class="lede">${inlineCode(operation.description)}</p>
${operation.parameters.length > 0 ? html`<h3>Parameters</h3><ul class="params">${operation.parameters.map(parameterItem)}</ul>` : ''}
${bodyPart(operation)}
<h3>Answers</h3><ul class="params">${answers.map(answerItem)}</ul>
<h3>Errors</h3><ul class="errs">${failures.map(([status, { description }]) => html`<li><code>${status}</code> ${description}</li>`)}</ul></div>
<div class="op-side"><div data-try></div>${requestExamples(call, id)}${answer}</div></div>
</details>
`;
}

export function scopeBadge(operation: Operation): Html {
  return operation['x-scope'] ? html` <span class="badge line">${operation['x-scope']}</span>` : '';
}

export function verb(method: string): Html {
  const word = method.toUpperCase();
  return html`<span class="verb ${method}">${word === 'DELETE' ? 'DEL' : word}</span>`;
}

function parameterItem({ name, in: location, required, description = '', schema }: Parameter): Html {
  return html`<li data-name="${name}" data-in="${location}"><p class="name"><code>${name}</code><span class="type">${raw(schemaText(schema))}</span>${location === 'query' ? '' : html`<span class="type">${location}</span>`}${required ? html`<span class="req">required</span>` : ''}</p>${description ? html`<p>${inlineCode(description)}</p>` : ''}</li>`;
}

function bodyPart(operation: Operation): Html {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return '';
  const sample = JSON.stringify(sampleBody(operation) ?? {}, null, 2);
  return html`<h3>Body</h3>${foldedFields(schema)}<template data-body>${sample}</template>`;
}

function answerItem([status, { content = {}, description }]: [string, Operation['responses'][string]]): Html {
  const types = Object.keys(content).filter((type) => type !== 'application/json');
  const [media] = Object.values(content);
  return html`<li><p class="name"><code>${status}</code>${types.length > 0 ? html`<span class="type">${types.join(', ')}</span>` : ''}</p><p>${inlineCode(description)}</p>${media ? foldedFields(media.schema) : ''}</li>`;
}

// The tabs are radio inputs, so that they need no script.
function requestExamples(call: ExampleCall, id: string): Html {
  const panes = [
    { name: 'curl', text: curlExample(call), language: 'bash' },
    { name: 'JavaScript', text: scriptExample(call), language: 'js' },
  ];
  return html`<div class="code switch">${panes.map(({ name }, index) => html`<input type="radio" name="${id}" id="${id}-${index}" aria-label="${name}"${index === 0 ? html` checked` : ''}>`)}<div class="code-head"><span class="opts">${panes.map(({ name }, index) => html`<label for="${id}-${index}">${name}</label>`)}</span></div>${panes.map(({ text, language }, index) => html`<div class="pane p${index + 1}"><pre tabindex="0"><code>${coloured(text, language)}</code></pre></div>`)}</div>`;
}

interface AnswerExample {
  status: string;
  text: string;
  language: string;
}

function answerExample({ responses }: Operation, examples: Examples): AnswerExample | null {
  const found = Object.entries(responses).find(([status]) => Number(status) < 400);
  const [media] = Object.values(found?.[1].content ?? {});
  const value = exampleValue(media?.examples?.sample, examples);
  if (!found || value === undefined) return null;
  return typeof value === 'string'
    ? { status: found[0], text: value, language: '' }
    : { status: found[0], text: JSON.stringify(value, null, 2), language: 'json' };
}

function answerPane({ status, text, language }: AnswerExample): Html {
  return html`<div class="code"><div class="code-head"><span class="status-ok">${status}</span></div><pre class="tall" tabindex="0"><code>${coloured(text, language)}</code></pre></div>`;
}

function sameAnswer({ method, path, operation }: ExampleCall): Html {
  return html`<p class="small">An example of the answer stands at <a href="#${callAnchor(operation.operationId)}">${method.toUpperCase()} ${path}</a>.</p>`;
}

function exampleValue(example: Example | undefined, examples: Examples): unknown {
  if (!example) return undefined;
  return '$ref' in example ? exampleValue(examples[example.$ref.replace(/^.*\//, '')], examples) : example.value;
}

function coloured(text: string, language: string): Html {
  const marked = highlightCode(text, language);
  return marked === null ? html`${text}` : raw(marked);
}
