// /admin/packages: which package registries answer, which packages fail and what that means for answers, private scopes.
import type { EvidenceWork } from '../../../contract/evidence.ts';
import type {
  PackageReading,
  PackageReadings,
  PackageRegistries,
  PackageRegistry,
} from '../../../contract/package-reading.ts';
import { oneOf, text } from '../../../contract/query.ts';
import { ECOSYSTEM_WORDS, SCOPED_ECOSYSTEM } from '../../../domain/ecosystems/index.ts';
import { LISTING_OUTCOMES } from '../../../domain/published-package.ts';
import { evidencePart } from '../../components/evidence-work.ts';
import { selectFilter } from '../../components/filter-row.ts';
import { areaField, postForm, textField } from '../../components/form.ts';
import { formatCount, type Html, html, plural } from '../../components/html.ts';
import { operatorTable, rowAction } from '../../components/operator-table.ts';
import { countPager } from '../../components/parts.ts';
import { ago, lasting, shortDate, upcoming } from '../../components/time.ts';
import type { Shell } from '../../frame/shell.ts';
import { withQuery } from '../../links.ts';
import { operatorPage } from '../../operator/visit.ts';

type Outcome = PackageReading['outcome'];

const WORDS: Readonly<Record<Outcome, string>> = {
  never_read: 'Never read',
  listed: 'Answers',
  unpublished: 'Taken back by its owner',
  not_found: 'Not found (404)',
  refused: 'Refused (401, 403)',
  rate_limited: 'Asked to wait (429)',
  unreadable: 'Unreadable answer',
  too_large: 'Too large',
  unreachable: 'Cannot be reached',
};

const FAILURES = LISTING_OUTCOMES.filter((one) => !['never_read', 'listed', 'unpublished'].includes(one));

export const packagesPage = operatorPage({
  path: '/admin/packages',
  title: 'Packages',
  access: 'admin',
  query: { q: text({ max: 214 }), outcome: oneOf(FAILURES), scope: text({ max: 102 }), page: text({ max: 10 }) },
  load: async ({ api, query }) => {
    const { q = '', outcome = '', page = '1' } = query;
    // A name finds every package, failing or not.
    const filters = { ...(q ? { q } : { failing: 'true' }), ...(outcome ? { outcome } : {}) };
    const [{ items: registries }, evidence, readings] = await Promise.all([
      api.get<PackageRegistries>('/admin/package-registries'),
      api.get<EvidenceWork>('/admin/evidence'),
      api.get<PackageReadings>('/admin/packages', { query: { limit: '50', page, ...filters } }),
    ]);
    return { registries, evidence, readings };
  },
  show: (
    { registries, evidence, readings: { items, pagination, totals } },
    { shell, query, form, refusal },
  ) => html`<div class="spread"><h1>Packages</h1><a class="btn primary" href="#add">Add a registry</a></div>
<div class="statline sp-top">${stat(totals.known - totals.neverRead, 'packages read')}${stat(totals.listed, 'listed in the last 14 days')}${stat(totals.failing, 'failing', totals.failing > 0)}${stat(totals.neverRead, 'not read yet')}</div>
<section class="block"><h2>Registries</h2>${operatorTable(
    'Registries',
    [
      { name: 'Registry' },
      { name: 'For' },
      { name: 'State' },
      { name: 'Packages', numeric: true },
      { name: 'Last answer' },
      { name: 'Actions' },
    ],
    registries.map((one) => registryRow(one, shell)),
  )}<p class="small muted sp-top">A private registry on a private address also needs <code>REGISTRY_EGRESS_ALLOW</code>.</p></section>
<section class="block"><div class="spread"><h2>What went wrong</h2><p class="small muted">${formatCount(totals.failing)} failing</p></div>
<form class="filter-row" data-form="filter" method="get" role="search" aria-label="Packages"><div class="field"><label class="sr" for="f-q">Package name</label><input class="input" id="f-q" name="q" type="search" placeholder="Package name" value="${query.q ?? ''}"></div>
${selectFilter({ name: 'outcome', any: 'Any failure', options: FAILURES.map((one) => [one, WORDS[one]]), chosen: query.outcome })}<button class="btn" type="submit">Apply</button></form>
${
  items.length === 0
    ? html`<p>${query.q || query.outcome ? 'No package matches.' : totals.known === 0 ? 'No package has been read yet. Packages are read once their source is resumed, or somebody looks them up.' : 'Every package that was read is listed.'}</p>`
    : operatorTable(
        'Packages',
        [
          { name: 'Package' },
          { name: 'Outcome' },
          { name: 'What it means' },
          { name: 'Since' },
          { name: 'Next try' },
          { name: 'Actions' },
        ],
        items.map((one) => readingRow(one, shell)),
      )
}${countPager(items.length, pagination.totalItems, pagination.hasMore ? { path: withQuery('/admin/packages', shell.query, { page: String(pagination.page + 1), done: null }), name: 'More' } : null)}</section>
${evidencePart(evidence, shell)}
<section class="block" id="add"><h2>Add a registry for a scope</h2>${postForm(
    shell,
    { name: 'registry-save', action: '/admin/package-registries/save' },
    html`<div class="form-grid">${textField({ name: 'scope', label: 'Scope', mono: true, value: form.get('scope') ?? query.scope, error: refusal?.fields.scope, help: 'All npm packages whose names begin with it, such as @acme.' })}${textField({ name: 'url', label: 'Address', type: 'url', mono: true, value: form.get('url') ?? registries.find(({ scope }) => scope !== null && scope === query.scope)?.url, error: refusal?.fields.url })}${textField({ name: 'token', label: 'Token', type: 'password', mono: true, required: false, error: refusal?.fields.token, help: 'Read access is enough. It is stored encrypted and never shown again. Leave it empty to keep the stored one.' })}${areaField({ name: 'accounts', label: 'Accounts that may see its packages', required: false, rows: 3, value: form.get('accounts') ?? registries.find(({ scope }) => scope !== null && scope === query.scope)?.accounts.join('\n'), error: refusal?.fields.accounts, help: 'One confirmed mail address or account id per line. Machine tokens always may; nobody else does.' })}</div><button class="btn primary" type="submit">Save the registry</button>`,
  )}</section>`,
});

function stat(value: number, name: string, bad = false): Html {
  return html`<p class="stat${bad ? ' bad' : ''}"><b>${formatCount(value)}</b><span>${name}</span></p>`;
}

function registryRow(one: PackageRegistry, shell: Shell): Html[] {
  const { scope, ecosystem, url, origin, hasToken, tokenHint, packages, answeredAt } = one;
  const token = hasToken ? (tokenHint ? `, token ends in …${tokenHint}` : ', with a token') : ', without a token';
  const named = origin === 'built_in' ? 'built in' : `private${token}`;
  const isRemoved = origin === 'removed';
  const others = `${ECOSYSTEM_WORDS[ecosystem]}${ecosystem === SCOPED_ECOSYSTEM ? ', all other names' : ''}`;
  return [
    isRemoved
      ? html`removed<span class="muted small under">its names are asked for nowhere</span>`
      : html`<span class="mono">${new URL(url).host}</span><span class="muted small under">${named}</span>`,
    scope === null
      ? html`${others}`
      : html`<div><code>${scope}</code><span class="muted small under">${plural(one.accounts.length, 'account')} admitted</span></div>`,
    health(one, shell),
    html`${formatCount(packages)}`,
    answeredAt ? ago(answeredAt, shell.now) : html`never`,
    scope === null
      ? html`–`
      : html`<div class="cluster"><a class="btn quiet small" href="/admin/packages?scope=${encodeURIComponent(scope)}#add" aria-label="New token for ${scope}">New token</a>${
          isRemoved
            ? rowAction(shell, {
                action: '/admin/package-registries/make-public',
                label: 'Make public',
                target: scope,
                values: { scope },
                confirm: scope,
              })
            : rowAction(shell, {
                action: '/admin/package-registries/remove',
                label: 'Remove',
                target: scope,
                values: { scope },
                confirm: scope,
              })
        }</div>`,
  ];
}

function health({ outcome, reason, failingSince }: PackageRegistry, { now }: Shell): Html {
  if (outcome === null || outcome === 'never_read') return html`<span class="health new">Not asked yet</span>`;
  if (failingSince === null || outcome === 'not_found') return html`<span class="health ok">Answers</span>`;
  const words = `${WORDS[outcome]} for ${lasting(failingSince, now)}${reason ? `: ${reason}` : ''}`;
  return html`<span class="health ${outcome === 'rate_limited' ? 'stale' : 'failing'}">${words}</span>`;
}

function readingRow(one: PackageReading, shell: Shell): Html[] {
  const { ecosystem, name, outcome, reason, failingSince, nextReadAt } = one;
  return [
    html`<span class="mono">${name}</span><span class="muted small under">${ECOSYSTEM_WORDS[ecosystem]}</span>`,
    html`<div>${WORDS[outcome]}${reason ? html`<span class="muted small under">${reason}</span>` : ''}</div>`,
    html`${meaning(one)}`,
    failingSince ? ago(failingSince, shell.now) : html`–`,
    nextReadAt ? upcoming(nextReadAt, shell.now) : html`not planned`,
    rowAction(shell, { action: '/admin/packages/read', label: 'Read now', target: name, values: { ecosystem, name } }),
  ];
}

// What the last reading means for answers.
function meaning({ outcome, versions, listedAt, failingSince }: PackageReading): string {
  if (outcome === 'unpublished') return `Its ${plural(versions, 'version')} are marked withdrawn`;
  if (failingSince === null)
    return versions === 0 ? 'Nothing is stored yet' : `${plural(versions, 'version')} are known`;
  if (listedAt === null) return 'Nothing was stored. Answers say “not known”';
  return `Kept: ${plural(versions, 'version')} of ${shortDate(listedAt)}. Newer ones are not known`;
}
