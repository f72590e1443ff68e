// The fields of the form for a new or an existing webhook.
import type { WebhookSubscription } from '../../contract/webhooks.ts';
import type { MeaningFilter } from '../../domain/meaning/passes-meaning.ts';
import { checkField, selectField, textField } from './form.ts';
import { formatCount, type Html, html } from './html.ts';
import { meaningFields, meaningWords } from './meaning-fields.ts';

const SCOPES = { follows: 'Everything I follow', org: 'One organization', stack: 'One stack' };
export const FORMATS = {
  json: 'JSON, signed',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  google_chat: 'Google Chat',
  text: 'Plain text for ntfy or a script, signed',
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

export function webhookFields({
  values,
  excludePrereleases,
  meaning,
  errors,
  scope,
  orgs,
  stacks = [],
}: WebhookFields): Html {
  const text = (name: 'productSlug' | 'sourceSlug', label: string, help: string) =>
    textField({ name, label, value: values[name], required: false, mono: true, help, error: errors[name] });
  const choice =
    scope === null
      ? html`${selectField({ name: 'scope', label: 'About', value: values.scope, options: SCOPES, error: errors.scope })}${textField({ name: 'orgSlug', label: 'Organization', value: values.orgSlug, required: false, mono: true, help: orgs ? `For “One organization”: type to choose from ${formatCount(orgs.total)}.` : undefined, error: errors.orgSlug, more: orgs ? html`list="orgs"` : undefined })}${orgs ? html`<datalist id="orgs">${orgs.offered.map(({ slug, name }) => html`<option value="${slug}">${name}</option>`)}</datalist>` : ''}${textField({ name: 'stackName', label: 'Stack', value: values.stackName, required: false, mono: true, help: 'For “One stack”: its name. Only releases above your versions are sent.', error: errors.stackName, more: stacks.length > 0 ? html`list="stacks"` : undefined })}${stacks.length > 0 ? html`<datalist id="stacks">${stacks.map((name) => html`<option value="${name}"></option>`)}</datalist>` : ''}`
      : '';
  return html`${textField({ name: 'url', label: 'Address', type: 'url', value: values.url, mono: true, full: true, help: 'HTTPS, reachable from here. Private networks are refused.', error: errors.url, more: html`placeholder="https://"` })}${choice}${selectField({ name: 'format', label: 'Format', value: values.format, options: FORMATS, error: errors.format })}${selectField({ name: 'releaseType', label: 'Kind', value: values.releaseType, options: TYPES, error: errors.releaseType })}${scope === 'follows' || scope === 'stack' ? '' : html`${text('productSlug', 'Only this product', 'Left empty: all of the organization.')}${text('sourceSlug', 'Only this source', 'Left empty: all of them.')}`}${meaningFields(meaning)}${textField({ name: 'description', label: 'Note', value: values.description, required: false, full: true, help: 'For yourself.', error: errors.description })}<div class="full">${checkField({ name: 'excludePrereleases', label: 'Leave out pre-releases', checked: excludePrereleases })}</div>`;
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
