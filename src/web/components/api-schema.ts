// A JSON Schema in the API reference: its fields with their types and descriptions.
import type { JsonSchema } from '../../contract/query.ts';
import { schemaText } from '../../http/openapi/schema-text.ts';
import { type Html, html, plural, raw } from './html.ts';
import { icon } from './icon.ts';
import { inlineCode } from './prose.ts';

// The fields behind a fold; a schema without fields is described by its type.
export function foldedFields(schema: JsonSchema): Html {
  const count = Object.keys(schema.properties ?? {}).length;
  if (count === 0) return fieldList(schema);
  return html`<details class="fold"><summary>${icon('chevron')}${plural(count, 'field')}</summary>${fieldList(schema)}</details>`;
}

export function fieldList(schema: JsonSchema): Html {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return html`<p class="form-of mono">${raw(schemaText(schema))}</p>`;
  const required = new Set(schema.required);
  const items = properties.map(
    ([name, field]) =>
      html`<li><p class="name"><code>${name}</code><span class="type">${raw(schemaText(field, 1))}${required.has(name) ? '' : ', optional'}</span></p>${field.description ? html`<p>${inlineCode(String(field.description))}</p>` : ''}</li>`,
  );
  return html`<ul class="params">${items}</ul>`;
}
