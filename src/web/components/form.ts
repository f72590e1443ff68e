// Forms: labels above, help below, the error below the help, and a summary of all errors that takes the focus.

import type { Refusal } from '../forms/refusal.ts';
import type { Shell } from '../frame/shell.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';

interface PostForm {
  // The name by which tests and scripts find the form.
  name: string;
  action: string;
  // Hidden values.
  values?: Readonly<Record<string, string>>;
  className?: string;
  // By which buttons elsewhere on the page belong to it.
  id?: string;
}

export function postForm(shell: Shell, { name, action, values = {}, className, id }: PostForm, body: Html): Html {
  const hidden = Object.entries({ csrf: shell.csrf(action), ...values });
  return html`<form${id ? html` id="${id}"` : ''}${className ? html` class="${className}"` : ''} data-form="${name}" method="post" action="${action}">${hidden.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
${body}</form>`;
}

interface FormField {
  name: string;
  label: string;
  // The id, when a page has several fields with the same name.
  id?: string;
  value?: string | null;
  help?: Html | string;
  error?: string | undefined;
  // The field spans both columns of a form.
  full?: boolean;
}

interface TextField extends FormField {
  type?: string;
  autocomplete?: string;
  required?: boolean;
  mono?: boolean;
  // The form was refused, and this field may be the reason.
  suspect?: boolean;
  // Further attributes.
  more?: Html;
}

export function textField(field: TextField): Html {
  const { name, id = name, type = 'text', value, autocomplete = 'off', required = true, mono, suspect, more } = field;
  const invalid = suspect || field.error !== undefined;
  return framed(
    field,
    html`<input class="input${mono ? ' mono' : ''}" id="${id}" name="${name}" type="${type}" value="${value ?? ''}" autocomplete="${autocomplete}"${required ? html` required` : ''}${invalid ? html` aria-invalid="true"` : ''}${describedBy(field, suspect)}${more ? html` ${more}` : ''}>`,
  );
}

export function selectField(field: FormField & { options: Readonly<Record<string, string>> }): Html {
  const { name, id = name, value, options, error } = field;
  return framed(
    field,
    html`<select class="select" id="${id}" name="${name}"${error ? html` aria-invalid="true"` : ''}${describedBy(field)}>${Object.entries(options).map(([key, words]) => html`<option value="${key}"${key === (value ?? '') ? html` selected` : ''}>${words}</option>`)}</select>`,
  );
}

export function checkField({ name, label, checked }: { name: string; label: string; checked: boolean }): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="true"${checked ? html` checked` : ''}> ${label}</label>`;
}

export function areaField(field: FormField & { required?: boolean; rows?: number }): Html {
  const { name, id = name, value, required = true, rows = 5 } = field;
  return framed(
    field,
    html`<textarea class="input" id="${id}" name="${name}" rows="${rows}"${required ? html` required` : ''}${field.error ? html` aria-invalid="true"` : ''}${describedBy(field)}>${value ?? ''}</textarea>`,
  );
}

function framed({ name, id = name, label, help, error, full }: FormField, control: Html): Html {
  return html`<div class="field${error ? ' bad' : ''}${full ? ' full' : ''}"><label for="${id}">${label}</label>${control}${help ? html`<p class="help" id="${id}-h">${help}</p>` : ''}${error ? html`<p class="error" id="${id}-e">${icon('warning')}${error}</p>` : ''}</div>
`;
}

function describedBy({ name, id = name, help, error }: FormField, suspect = false): Html {
  const ids = [help ? `${id}-h` : '', error ? `${id}-e` : '', suspect ? 'errors' : ''].filter(Boolean).join(' ');
  return ids ? html` aria-describedby="${ids}"` : '';
}

const COUNTS = ['', 'One thing needs', 'Two things need', 'Three things need'];

// The summary of errors takes the focus, so that every reader meets it first, with a screen reader and the keyboard
// too.
export function errorSummary(refusal: Refusal | undefined, idOf = (name: string) => name): Html {
  if (!refusal) return '';
  const fields = Object.entries(refusal.fields);
  const list = fields.map(([name, message]) => html`<li><a href="#${idOf(name)}">${message}</a></li>`);
  const title = refusal.message ?? `${COUNTS[fields.length] ?? `${fields.length} things need`} another look`;
  return html`<div class="errors" id="errors" role="alert" tabindex="-1" autofocus><h2>${title}</h2>${list.length > 0 ? html`<ul>${list}</ul>` : ''}</div>
`;
}

export function signOut(shell: Shell, { className = '' } = {}): Html {
  return postForm(
    shell,
    { name: 'logout', action: '/logout' },
    html`<button${className ? html` class="${className}"` : ''} type="submit">Sign out</button>`,
  );
}
