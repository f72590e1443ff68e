// /whats-changed: the verdict on an upgrade first, then the migration steps of each release, oldest first.

import { ApiError } from '../../contract/errors.ts';
import { flag, oneOf, text } from '../../contract/query.ts';
import { UPGRADE_ECOSYSTEMS, type WhatsChanged } from '../../contract/whats-changed.ts';
import { whatsChanged } from '../../insight/whats-changed/index.ts';
import { verdictOf } from '../../insight/whats-changed/report.ts';
import { filesForm } from '../components/files-form.ts';
import { selectField } from '../components/form.ts';
import { type Html, html, plural } from '../components/html.ts';
import { noticeBox } from '../components/notice.ts';
import { upgradeEntries } from '../components/upgrade-entries.ts';
import { strip, totals, verdictGlyph, verdictSentence } from '../components/verdict.ts';
import { versionRange } from '../components/version.ts';
import { sourcePath, withQuery } from '../links.ts';
import { page } from '../page.ts';

const ECOSYSTEM_WORDS = { npm: 'npm', pypi: 'PyPI', github: 'GitHub' } as const;
const textLimit = { max: 200 };

export const whatsChangedPage = page({
  path: '/whats-changed',
  summary: 'What changed between two versions',
  query: {
    package: text(textLimit),
    from: text(textLimit),
    to: text(textLimit),
    ecosystem: oneOf(UPGRADE_ECOSYSTEMS),
    org: text(textLimit),
    breaking: flag(),
  },
  load: async (ctx, { query: { package: name, from, to, ecosystem, org } }) => {
    if (!name || !from) return { answer: null, problem: null };
    try {
      const answer = await whatsChanged(ctx, { package: name, from, to: to || 'latest', ecosystem, org });
      return { answer, problem: null };
    } catch (error) {
      // The error about an invalid version is shown beside the form.
      if (error instanceof ApiError && error.status < 500) return { answer: null, problem: error.message };
      throw error;
    }
  },
  show: ({ answer, problem }, shell, { query }) => ({
    name: 'whats-changed',
    head: {
      title: answer ? `${answer.package} ${answer.from} to ${answer.to}` : 'What’s changed',
      description: 'What changed between two versions of a package, and what it asks of you.',
      canonical: shell.query.size === 0 ? '/whats-changed' : undefined,
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
    },
    body: html`<h1>What’s changed</h1>
<form class="filter-row" data-form="whats-changed" method="get">${query.org ? html`<input type="hidden" name="org" value="${query.org}">` : ''}<div class="field"><label for="w-p">Package</label><input class="input mono" id="w-p" name="package" value="${query.package ?? ''}" required></div><div class="field"><label for="w-f">From</label><input class="input mono" id="w-f" name="from" value="${query.from ?? ''}" size="10" required></div><div class="field"><label for="w-t">To</label><input class="input mono" id="w-t" name="to" value="${query.to ?? 'latest'}" size="10"></div>${selectField({ name: 'ecosystem', id: 'w-e', label: 'Ecosystem', value: query.ecosystem ?? '', options: { '': 'Any', ...ECOSYSTEM_WORDS } })}<div class="field"><span class="label" aria-hidden="true">&nbsp;</span><button class="btn primary" type="submit">Compare</button></div></form>
${problem === null ? '' : noticeBox('warning', `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}.`)}${answer ? verdict(answer) : problem === null ? html`<p class="lede">Give a package and the version that you run. The answer says whether anything breaks, and what to do about it.</p>` : ''}${answer && answer.entries.length > 0 ? timeline(answer, query.breaking ?? false, shell.query) : ''}
<section class="block" id="paste"><h2>Files of a project</h2>${filesForm()}</section>`,
  }),
});

function verdict(answer: WhatsChanged): Html {
  const level = verdictOf(answer);
  const name = answer.source
    ? html`<a class="plain" href="${sourcePath(answer.source.orgSlug, answer.source.sourceSlug)}">${answer.package}</a>`
    : answer.package;
  const left =
    answer.omittedPrereleases > 0
      ? ` ${plural(answer.omittedPrereleases, 'pre-release is', 'pre-releases are')} left out.`
      : '';
  return html`<section class="verdict" data-level="${level}" aria-labelledby="vh"><h2 id="vh">${verdictGlyph(level)}<span>${verdictSentence(answer)}</span></h2>
<p class="lede">${name} ${versionRange(answer.fromVersion ?? answer.from, answer.toVersion ?? answer.to)} <span class="muted">${answer.status === 'resolved' ? `is ${plural(answer.total, 'release')}.${left}` : ''}</span></p>
${answer.hint ? noticeBox(answer.history?.complete === false ? 'warning' : 'info', answer.hint) : ''}${strip(answer.entries)}${answer.status === 'resolved' ? totals(answer.summary.breaking) : ''}${answer.suggestions && answer.suggestions.length > 0 ? html`<p>Did you mean ${answer.suggestions.map((name) => html`<a class="mono" href="/whats-changed?${new URLSearchParams({ package: name, from: answer.from, to: answer.to }).toString()}">${name}</a> `)}</p>` : ''}</section>`;
}

function timeline(answer: WhatsChanged, breakingOnly: boolean, query: URLSearchParams): Html {
  const shown = breakingOnly
    ? answer.entries.filter(({ breaking }) => breaking === 'major' || breaking === 'minor')
    : answer.entries;
  const omitted = answer.omitted ?? 0;
  const api = `/v1/whats-changed?${query}`;
  return html`<section><div class="spread"><h2>Oldest first</h2><p class="cluster small"><a href="${withQuery('/whats-changed', query, { breaking: breakingOnly ? null : '1' })}">${breakingOnly ? 'All releases' : 'Breaking only'}</a><a href="${api}">JSON</a></p></div>
${shown.length > 0 ? upgradeEntries(shown) : html`<p>No release of this range is marked as breaking.</p>`}
${omitted > 0 ? html`<p class="cut">${plural(omitted, 'older release is', 'older releases are')} left out here.${answer.continue ? html` <a href="${withQuery('/whats-changed', query, { from: answer.continue.from, to: answer.continue.to })}">See the older part</a>` : ''}</p>` : ''}</section>`;
}
