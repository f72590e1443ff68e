// /admin/add: a new source from a URL. The URL is checked first; nothing is stored before the operator confirms.
import { ApiError } from '../../../contract/errors.ts';
import type { Evaluation } from '../../../contract/evaluate.ts';
import { text } from '../../../contract/query.ts';
import { postForm, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { facts, noticeBox } from '../../components/parts.ts';
import { shortDate } from '../../components/time.ts';
import { sentence } from '../../forms/refusal.ts';
import { sourceIdPath } from '../../links.ts';
import { type OperatorVisit, operatorPage } from '../../operator/visit.ts';

export const addPage = operatorPage({
  path: '/admin/add',
  title: 'Add a source',
  access: 'admin',
  query: { url: text({ max: 2000 }) },
  load: async ({ api, query, form }) => {
    const url = form.get('url') ?? query.url;
    if (!url) return { url: '', evaluation: null, failure: null };
    try {
      const evaluation = await api.get<Evaluation>('/evaluate', { query: { url } });
      return { url, evaluation, failure: null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { url, evaluation: null, failure: sentence(error.message) };
    }
  },
  show: ({ url, evaluation, failure }, visit) => html`<h1>Add a source</h1>
<form class="filter-row" data-form="evaluate" method="get" action="/admin/add"><div class="field grow"><label for="url">Address of a changelog, feed, repository, app or channel</label><input class="input mono" id="url" name="url" type="url" required value="${url}"></div><button class="btn primary" type="submit">Evaluate</button></form>
${failure ? noticeBox('critical', failure) : ''}${evaluation ? found(evaluation, visit) : html`<p class="muted">The address is fetched and read as a source would be. Nothing is stored.</p>`}`,
});

function found(evaluation: Evaluation, visit: Pick<OperatorVisit, 'shell' | 'form' | 'refusal'>): Html {
  const { recommendedMethod, recommendedUrl, sample, alternatives } = evaluation;
  const known = evaluation.existingSourceIds;
  return html`<section><h2>What was found</h2>${facts([
    ['Read as', recommendedMethod],
    ['Address', recommendedUrl ?? evaluation.url],
    [
      'Feed',
      evaluation.feedUrl ? `${evaluation.feedUrl}${evaluation.feedType ? ` (${evaluation.feedType})` : ''}` : '',
    ],
    ['Repository', evaluation.githubRepo ?? ''],
    ['Page', evaluation.pageStructure.replaceAll('_', ' ')],
    ['Made with', evaluation.provider ?? ''],
    ['Confidence', evaluation.confidence],
  ])}${known.length > 0 ? noticeBox('warning', html`Already read: ${known.map((id) => html`<a href="/admin/view${sourceIdPath(id)}">${id}</a> `)}`) : ''}</section>
<section><h2>Sample</h2>${sample.length === 0 ? html`<p class="muted">No release could be read. A source made from this address would stay empty.</p>` : html`<ul class="mini">${sample.slice(0, 5).map(({ title, version, publishedAt }) => html`<li>${title}<span class="sub">${[version, publishedAt ? shortDate(publishedAt) : 'without a date'].filter(Boolean).join(', ')}</span></li>`)}</ul>`}</section>
${alternatives.length > 0 ? html`<section><h2>Other ways</h2><ul class="mini">${alternatives.map(({ method, url, reason }) => html`<li><a href="/admin/add?url=${encodeURIComponent(url)}">${url}</a><span class="sub">${method}: ${reason}</span></li>`)}</ul></section>` : ''}
<section><h2>Create it</h2>${createForm(evaluation, visit)}</section>`;
}

function createForm(
  evaluation: Evaluation,
  { shell, form, refusal }: Pick<OperatorVisit, 'shell' | 'form' | 'refusal'>,
): Html {
  const address = evaluation.recommendedUrl ?? evaluation.url;
  const { proposed } = evaluation;
  const field = (name: string, label: string, value: string, required = true) =>
    textField({ name, label, value: form.get(name) ?? value, required, error: refusal?.fields[name] });
  return postForm(
    shell,
    {
      name: 'add',
      action: '/admin/add/create',
      values: { url: evaluation.url, sourceUrl: address, type: proposed.type, feedUrl: evaluation.feedUrl ?? '' },
    },
    html`<div class="form-grid">${field('orgName', 'Organization', proposed.orgName ?? '')}${field('orgSlug', 'Slug of the organization', proposed.orgSlug ?? '')}${field('name', 'Name of the source', proposed.name)}${field('slug', 'Slug of the source', proposed.slug, false)}</div>
<label class="check"><input type="checkbox" name="silent" value="true" checked> First fetch without events</label>
<div class="cluster"><button class="btn primary" type="submit">Create</button></div>`,
  );
}
