// /whats-changed: the verdict on an upgrade first, then what each release asks of you, oldest first.
import { flag, oneOf, text } from '../../contract/query.ts';
import { UPGRADE_ECOSYSTEMS, type UpgradeEntry, type WhatsChanged } from '../../contract/whats-changed.ts';
import { whatsChanged } from '../../insight/whats-changed/index.ts';
import { type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { noticeBox } from '../components/notice.ts';
import { inlineCode } from '../components/prose.ts';
import { shortDate, timeMark } from '../components/time.ts';
import { bareVersion, strip, totals, verdictGlyph, verdictLevel, verdictSentence } from '../components/verdict.ts';
import { versionMark, versionRange } from '../components/version.ts';
import { outsideUrl, releasePath, sourcePath, withQuery } from '../links.ts';
import { page } from '../page.ts';
import { steps } from './release.ts';

const ECOSYSTEM_WORDS = { npm: 'npm', pypi: 'PyPI', github: 'GitHub' } as const;
const asked = { max: 200 };

export const whatsChangedPage = page({
  path: '/whats-changed',
  summary: 'What changed between two versions',
  query: {
    package: text(asked),
    from: text(asked),
    to: text(asked),
    ecosystem: oneOf(UPGRADE_ECOSYSTEMS),
    org: text(asked),
    breaking: flag(),
  },
  load: async (ctx, { query: { package: name, from, to, ecosystem, org } }) => {
    if (!name || !from) return { answer: null };
    return { answer: await whatsChanged(ctx, { package: name, from, to: to || 'latest', ecosystem, org }) };
  },
  show: ({ answer }, shell, { query }) => ({
    name: 'whats-changed',
    head: {
      title: answer ? `${answer.package} ${answer.from} to ${answer.to}` : 'What’s changed',
      description: 'What changed between two versions of a package, and what it asks of you.',
      canonical: shell.query.size === 0 ? '/whats-changed' : undefined,
      robots: shell.query.size > 0 ? 'noindex, follow' : undefined,
    },
    body: html`<h1>What’s changed</h1>
<form class="filter-row" data-form="whats-changed" method="get"><div class="field"><label for="w-p">Package</label><input class="input mono" id="w-p" name="package" value="${query.package ?? ''}" required></div><div class="field"><label for="w-f">From</label><input class="input mono" id="w-f" name="from" value="${query.from ?? ''}" size="10" required></div><div class="field"><label for="w-t">To</label><input class="input mono" id="w-t" name="to" value="${query.to ?? 'latest'}" size="10"></div><div class="field"><label for="w-e">Ecosystem</label><select class="select" id="w-e" name="ecosystem"><option value="">Any</option>${UPGRADE_ECOSYSTEMS.map((name) => html`<option value="${name}"${name === query.ecosystem ? html` selected` : ''}>${ECOSYSTEM_WORDS[name]}</option>`)}</select></div><div class="field"><span class="label" aria-hidden="true">&nbsp;</span><button class="btn primary" type="submit">Compare</button></div></form>
${answer ? verdict(answer) : html`<p class="lede">Give a package and the version that you run. The answer says whether anything breaks, and what to do about it.</p>`}${answer && answer.entries.length > 0 ? timeline(answer, query.breaking ?? false, shell.query) : ''}`,
  }),
});

function verdict(answer: WhatsChanged): Html {
  const level = verdictLevel(answer);
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

interface Run {
  entries: UpgradeEntry[];
  quiet: boolean;
}

// Runs of three and more releases without a break fold into one line.
function runsOf(entries: readonly UpgradeEntry[]): Run[] {
  const runs: Run[] = [];
  for (const entry of entries) {
    const quiet = entry.breaking === 'none';
    const last = runs.at(-1);
    if (last?.quiet && quiet) last.entries.push(entry);
    else runs.push({ entries: [entry], quiet });
  }
  return runs.flatMap((run) =>
    run.quiet && run.entries.length < 3 ? run.entries.map((entry) => ({ entries: [entry], quiet: false })) : [run],
  );
}

function timeline(answer: WhatsChanged, breakingOnly: boolean, query: URLSearchParams): Html {
  const shown = breakingOnly
    ? answer.entries.filter(({ breaking }) => breaking === 'major' || breaking === 'minor')
    : answer.entries;
  const omitted = answer.omitted ?? 0;
  const api = `/v1/whats-changed?${query}`;
  return html`<section><div class="spread"><h2>Oldest first</h2><p class="cluster small"><a href="${withQuery('/whats-changed', query, { breaking: breakingOnly ? null : '1' })}">${breakingOnly ? 'All releases' : 'Breaking only'}</a><a href="${api}">JSON</a></p></div>
${shown.length > 0 ? html`<ol class="line">${runsOf(shown).map((run) => (run.quiet ? quietRun(run.entries) : html`${run.entries.map(entryItem)}`))}</ol>` : html`<p>No release of this range is marked as breaking.</p>`}
${omitted > 0 ? html`<p class="cut">${plural(omitted, 'older release is', 'older releases are')} left out here.${answer.continue ? html` <a href="${withQuery('/whats-changed', query, { from: answer.continue.from, to: answer.continue.to })}">See the older part</a>` : ''}</p>` : ''}</section>`;
}

function quietRun(entries: readonly UpgradeEntry[]): Html {
  const [first, last] = [entries[0], entries.at(-1)].map((entry) => bareVersion(entry?.version ?? ''));
  return html`<li class="none">${verdictGlyph('none')}<details class="fold"><summary>${icon('chevron')}${entries.length} releases without a break, ${first} to ${last}</summary><ol class="cites">${entries.map((entry) => html`<li><a class="plain" href="${releasePath(entry)}">${entry.title}</a>${versionMark(entry.version && bareVersion(entry.version))}</li>`)}</ol></details></li>`;
}

function entryItem(entry: UpgradeEntry): Html {
  const list = steps(entry);
  const original = outsideUrl(entry.url);
  const breaks = entry.breaking === 'major' || entry.breaking === 'minor';
  const detail = entry.summary || entry.excerpt || '';
  return html`<li class="${entry.breaking}">${verdictGlyph(entry.breaking)}<div class="top">${versionMark(entry.version && bareVersion(entry.version))}<a href="${releasePath(entry)}">${entry.title}</a>${entry.publishedAt ? timeMark(entry.publishedAt, shortDate(entry.publishedAt)) : ''}</div>${breaks && detail ? html`<p>${inlineCode(detail)}</p>` : ''}${
    list.length > 0
      ? html`<div class="must${entry.breaking === 'minor' ? ' minor' : ''}"><h3>Before you upgrade</h3><ol>${list.map((step) => html`<li><span>${inlineCode(step)}</span></li>`)}</ol></div>`
      : breaks
        ? html`<p>No migration notes in the release.${original ? html` <a href="${original}" rel="nofollow noopener noreferrer">Read the original ${icon('external')}</a>` : ''}</p>`
        : ''
  }</li>`;
}
