// One call of the reference: what it does, its parameters, its body, its answers, and how to make it.
import type { JsonSchema } from '../../contract/query.ts';
import { escapeHtml } from '../kernel/page.ts';
import { curlExample, type ExampleCall, sampleBody, scriptExample } from './call-examples.ts';
import type { Example, OpenApiDocument, Operation } from './document.ts';
import type { Parameter } from './parameters.ts';
import { schemaText } from './schema-text.ts';

type Examples = OpenApiDocument['components']['examples'];

export function operationHtml(call: ExampleCall, examples: Examples): string {
  const { method, path, operation } = call;
  const scope = operation['x-scope'] ? `<span class="scope">${operation['x-scope']}</span>` : '';
  const data = `data-method="${method.toUpperCase()}" data-path="${escapeHtml(path)}"`;
  return `<details class="call" id="${anchor('call', operation.operationId)}" ${data}>
<summary><b class="method ${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${words(operation.summary)}</span>${scope}</summary>
<p>${words(operation.description)}</p>
${parametersHtml(operation.parameters)}
${bodyHtml(operation)}
<h4>Answers</h4>
<dl>${Object.entries(operation.responses)
    .map((entry) => responseHtml(entry, examples))
    .join('')}</dl>
<h4>curl</h4>
<pre class="example">${escapeHtml(curlExample(call))}</pre>
<h4>JavaScript</h4>
<pre class="example">${escapeHtml(scriptExample(call))}</pre>
</details>`;
}

export function schemaHtml([name, schema]: [string, JsonSchema]): string {
  const text = typeof schema.description === 'string' ? `<p>${words(schema.description)}</p>` : '';
  return `<details class="schema" id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${text}${formHtml(schema)}</details>`;
}

export function anchor(kind: string, name: string): string {
  return `${kind}-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}

// Backticks in descriptions mark code.
function words(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) =>
      `<tr data-name="${escapeHtml(name)}" data-in="${place}"><th scope="row"><code>${escapeHtml(name)}</code>${required ? ' *' : ''}</th><td>${place}</td><td>${schemaText(schema)}</td><td>${words(description)}</td></tr>`,
  );
  return tableHtml('<th>Parameter</th><th>In</th><th>Form</th><th>Meaning</th>', rows);
}

function bodyHtml(operation: Operation): string {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return '';
  const sample = JSON.stringify(sampleBody(operation) ?? {}, null, 2);
  return `<h4>Body</h4>${formHtml(schema)}<pre data-body>${escapeHtml(sample)}</pre>`;
}

function responseHtml([status, response]: [string, Operation['responses'][string]], examples: Examples): string {
  const { content = {}, description } = response;
  const types = Object.keys(content).filter((type) => type !== 'application/json');
  const also = types.length > 0 ? ` (${'application/json' in content ? 'also ' : ''}${types.join(', ')})` : '';
  const [media] = Object.values(content);
  const shown =
    media && Number(status) < 400 ? formHtml(media.schema) + exampleHtml(media.examples?.sample, examples) : '';
  return `<dt>${status}</dt><dd>${escapeHtml(description)}${also}${shown}</dd>`;
}

function exampleHtml(example: Example | undefined, examples: Examples): string {
  if (!example) return '';
  if ('$ref' in example) return exampleHtml(examples[example.$ref.replace(/^.*\//, '')], examples);
  const { value } = example;
  return `<pre class="example">${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>`;
}

// The fields of an object with their meaning; of anything else its form alone.
function formHtml(schema: JsonSchema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return `<pre>${schemaText(schema)}</pre>`;
  const required = new Set((schema.required ?? []) as string[]);
  const rows = properties.map(
    ([name, field]) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required.has(name) ? '' : '?'}</th><td><code>${schemaText(field, 1)}</code></td><td>${words(String(field.description ?? ''))}</td></tr>`,
  );
  return tableHtml('<th>Field</th><th>Form</th><th>Meaning</th>', rows);
}

function tableHtml(head: string, rows: readonly string[]): string {
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
