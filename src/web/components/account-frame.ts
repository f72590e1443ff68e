// What the account pages share: their navigation, the message after a form, secrets that are shown once.
import type { Shell } from '../frame/shell.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { noticeBox } from './parts.ts';

const PAGES = [
  ['/account', 'Overview'],
  ['/account/stacks', 'Stacks'],
  ['/account/webhooks', 'Webhooks'],
  ['/account/keys', 'API keys'],
  ['/account/feed', 'Private feed'],
  ['/account/digest', 'Digest mail'],
  ['/account/security', 'Security'],
] as const;

export function accountFrame({ path }: Shell, body: Html): Html {
  const isCurrent = (page: string) => path === page || (page !== '/account' && path.startsWith(`${page}/`));
  return html`<div class="with-nav"><nav class="side-nav" aria-label="Account"><ul>${PAGES.map(([page, name]) => html`<li><a href="${page}"${isCurrent(page) ? html` aria-current="page"` : ''}>${name}</a></li>`)}</ul></nav><div class="stack">${body}</div></div>`;
}

// The message after a form: the query parameter `done` names what was done.
export function doneNotice({ query }: Shell, words: Readonly<Record<string, string>>): Html {
  const text = words[query.get('done') ?? ''];
  return text ? statusBox(text) : '';
}

export function statusBox(text: Html | string): Html {
  return html`<div role="status">${noticeBox('info', text)}</div>`;
}

interface Secret {
  title: string;
  text: Html | string;
  values: readonly { label: string; value: string }[];
}

export function secretBox({ title, text, values }: Secret): Html {
  return html`<section class="once" aria-labelledby="once-h"><h2 id="once-h">${icon('key')}${title}</h2><p>${text}</p>${values.map(({ label, value }, index) => secretValue({ label, value, id: `once-${index}` }))}</section>`;
}

export function secretValue({ label, value, id }: { label: string; value: string; id: string }): Html {
  return html`<div class="secret"><label class="label" for="${id}">${label}</label><div class="row-copy"><output id="${id}">${value}</output><button class="btn" type="button" data-copy hidden>${icon('copy')}Copy<span class="sr"> ${label}</span></button></div></div>`;
}

// A section that is collapsed behind a button.
export function reveal(title: string, body: Html, { open = false, danger = false } = {}): Html {
  return html`<details class="reveal"${open ? html` open` : ''}><summary class="btn${danger ? ' danger' : ''}">${title}</summary><div class="reveal-body">${body}</div></details>`;
}
