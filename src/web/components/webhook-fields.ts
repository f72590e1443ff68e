// The fields of the form for a new or an existing webhook.
import type { WebhookSubscription } from '../../contract/webhooks.ts';
import type { MeaningFilter } from '../../domain/meaning/passes-meaning.ts';
import { checkField, selectField, textField } from './form.ts';
import { formatCount, type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { importanceField, meaningFields, meaningWords } from './meaning-fields.ts';

const SCOPES = { follows: 'Everything I follow', org: 'One organization', stack: 'One stack' };
export const FORMATS = {
  json: 'JSON, signed',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  google_chat: 'Google Chat',
  text: 'Plain text for ntfy or a script, signed',
};
const SCOPE_HELP = {
  follows: 'Organizations and products of your feed',
  org: 'All of its releases, or those of one product',
  stack: 'Only releases above the versions that it has',
};
const TYPES = { '': 'All', feature: 'Single releases', rollup: 'Roundups' };

export const WEBHOOK_LABELS = {
  url: 'The address',
  scope: 'What it is about',
  orgSlug: 'The organization',
  stackName: 'The stack',
  productSlug: 'The product',
  sourceSlug: 'The source',
  releaseType: 'The kind of releases',
  format: 'The format',
  description: 'The note',
};

interface WebhookFields {
  // The submitted values after a refusal, otherwise the stored ones.
  values: Readonly<Partial<Record<keyof typeof WEBHOOK_LABELS, string | null>>>;
  excludePrereleases: boolean;
  meaning: MeaningFilter;
  errors: Readonly<Record<string, string>>;
  // Null for a new webhook, whose scope is not chosen yet.
  scope: WebhookSubscription['scope'] | null;
  // The organizations that the browser offers while one is typed, and the number of all of them.
  orgs?: { offered: readonly { slug: string; name: string }[]; total: number };
  // Names of the stacks of the account.
  stacks?: readonly string[];
}

// What everybody has to answer comes first; what few need is folded, unless it is set or refused.
export function webhookFields(fields: WebhookFields): Html {
  const { values, meaning, errors, scope } = fields;
  return html`${textField({ name: 'url', label: 'Send to', type: 'url', value: values.url, mono: true, full: true, help: 'HTTPS, reachable from here. Private networks are refused.', error: errors.url, more: html`placeholder="https://"` })}${selectField({ name: 'format', label: 'Message format', value: values.format, options: FORMATS, error: errors.format })}${textField({ name: 'description', label: 'Note', value: values.description, required: false, help: 'Only you see it.', error: errors.description })}${scope === null ? subjectFields(fields) : ''}${meaningFields(meaning)}${moreFilters(fields)}`;
}

// The radio that is chosen shows its own field; where the browser cannot do that, all of them show.
function subjectFields({ values, errors, orgs, stacks = [] }: WebhookFields): Html {
  const chosen = values.scope ?? 'org';
  const radio = (value: keyof typeof SCOPES) =>
    html`<label class="check block-check"><input type="radio" name="scope" value="${value}"${value === chosen ? html` checked` : ''}><span>${SCOPES[value]}<span class="sub">${SCOPE_HELP[value]}</span></span></label>`;
  const shown = (['follows', 'org', 'stack'] as const).filter(
    (value) => value !== 'stack' || stacks.length > 0 || chosen === 'stack',
  );
  const org = textField({
    name: 'orgSlug',
    label: 'Organization',
    value: values.orgSlug,
    required: false,
    mono: true,
    help: orgs ? `For “One organization”: type to choose from ${formatCount(orgs.total)}.` : undefined,
    error: errors.orgSlug,
    more: orgs ? html`list="orgs"` : undefined,
  });
  const stack = textField({
    name: 'stackName',
    label: 'Stack',
    value: values.stackName,
    required: false,
    mono: true,
    help: 'For “One stack”: its name.',
    error: errors.stackName,
    more: stacks.length > 0 ? html`list="stacks"` : undefined,
  });
  const offered = html`${orgs ? html`<datalist id="orgs">${orgs.offered.map(({ slug, name }) => html`<option value="${slug}">${name}</option>`)}</datalist>` : ''}${stacks.length > 0 ? html`<datalist id="stacks">${stacks.map((name) => html`<option value="${name}"></option>`)}</datalist>` : ''}`;
  return html`<fieldset class="field full"><legend>About</legend><div class="radios">${shown.map(radio)}</div>${errors.scope ? html`<p class="error">${icon('warning')}${errors.scope}</p>` : ''}</fieldset><div class="full for-org">${org}</div>${shown.includes('stack') ? html`<div class="full for-stack">${stack}</div>` : ''}${offered}`;
}

function moreFilters({ values, excludePrereleases, meaning, errors, scope }: WebhookFields): Html {
  const text = (name: 'productSlug' | 'sourceSlug', label: string, help: string) =>
    html`<div class="for-org">${textField({ name, label, value: values[name], required: false, mono: true, help, error: errors[name] })}</div>`;
  const names = ['releaseType', 'productSlug', 'sourceSlug'] as const;
  const isOpen = names.some((name) => values[name] || errors[name]) || Boolean(meaning.minImportance);
  return html`<details class="fold full"${isOpen ? html` open` : ''}><summary>${icon('chevron')}More filters</summary><div class="formgrid">${importanceField(meaning)}${selectField({ name: 'releaseType', label: 'Kind', value: values.releaseType, options: TYPES, error: errors.releaseType })}${scope === 'follows' || scope === 'stack' ? '' : html`${text('productSlug', 'Only this product', 'Left empty: all of the organization.')}${text('sourceSlug', 'Only this source', 'Left empty: all of them.')}`}</div></details><div class="full">${checkField({ name: 'excludePrereleases', label: 'Leave out pre-releases', checked: excludePrereleases })}</div>`;
}

// The subject and the filters of a webhook in words.
export function aboutWords(webhook: WebhookSubscription): string[] {
  const { scope, orgName, stackName, productName, sourceName, releaseType, excludePrereleases } = webhook;
  return [
    scope === 'follows' ? SCOPES.follows : scope === 'stack' ? `Stack ${stackName}` : (orgName ?? ''),
    productName ?? '',
    sourceName ?? '',
    releaseType ? TYPES[releaseType].toLowerCase() : '',
    excludePrereleases ? 'without pre-releases' : '',
    meaningWords(webhook),
  ].filter(Boolean);
}
