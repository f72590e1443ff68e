// /admin: the state of the registry's background work.

import type { FetchLogItem } from '../../../contract/admin-logs.ts';
import type { EmbedStatus } from '../../../contract/embed-status.ts';
import type { Stats } from '../../../contract/stats.ts';
import { storageFigures } from '../../../entities/registry/storage-figures.ts';
import { type WorkFigures, workFigures } from '../../../packages/work-figures.ts';
import { healthOf } from '../../components/health.ts';
import { formatCount, type Html, html, plural } from '../../components/html.ts';
import { operatorTable } from '../../components/operator-table.ts';
import { empty, facts } from '../../components/parts.ts';
import { ago, lasting } from '../../components/time.ts';
import { operatorPage } from '../../operator/visit.ts';
import { FETCH_LOG_COLUMNS, fetchLogRow } from './fetch-log.ts';
import { readSources } from './sources.ts';

const LAST_FETCHES = 10;

interface EmbedCounts {
  total: number;
  embedded: number;
  failed: number;
}

export const overviewPage = operatorPage({
  path: '/admin',
  title: 'Overview',
  access: 'write',
  load: async ({ ctx, api, isAdmin }) => {
    const [stats, { sources }, work, storage, vectors, fetches] = await Promise.all([
      api.get<Stats>('/stats', { query: { days: '1' } }),
      readSources(api),
      workFigures(ctx),
      storageFigures(ctx),
      isAdmin ? api.get<EmbedStatus>('/admin/embed/status') : null,
      isAdmin ? api.get<FetchLogItem[]>('/admin/logs/fetch', { query: { limit: String(LAST_FETCHES) } }) : null,
    ]);
    return { stats, sources, work, storage, vectors, fetches };
  },
  show: ({ stats, sources, work, storage, vectors, fetches }, { shell }) => {
    const failing = sources.filter((source) => healthOf(source, shell.now).health === 'failing');
    const paused = sources.filter((source) => healthOf(source, shell.now).health === 'paused').length;
    return html`<h1>Overview</h1>
<div class="statline">${stat(stats.orgs, 'organizations')}${stats.products > 0 ? stat(stats.products, 'products') : ''}${stat(stats.sources, 'sources')}${stat(stats.releases, 'releases')}${stat(stats.totals.releasesInPeriod, 'in 24 hours')}${stat(failing.length, 'failing', failing.length > 0)}</div>
<section><h2>Work</h2>${facts([
      ['Source that waits longest', waited(work.fetchQueueAgeSeconds)],
      [
        'Events waiting',
        `${formatCount(work.eventsWaiting)}${work.eventsWaiting > 0 ? `, the oldest ${seconds(work.oldestEventSeconds)} old` : ''}`,
      ],
      [
        'Deliveries',
        `${formatCount(work.deliveriesWaiting)} waiting, ${formatCount(work.deliveriesInFlight)} being sent`,
      ],
      ['Digest mails', digestsOf(work)],
      ...(vectors
        ? [
            vectorsOf('Vectors of releases', vectors.releases),
            vectorsOf('Vectors of changelogs', vectors.chunks),
            vectorsOf('Vectors of names', vectors.entities),
            ['Index of vectors', indexOf(vectors.index)] as const,
          ]
        : []),
      ['Database', bytes(storage.databaseBytes)],
      ['Free disk', storage.freeBytes === null ? 'not known' : bytes(storage.freeBytes)],
      ['Version', shell.version],
    ])}${vectors && !vectors.configured ? html`<p class="small muted">No embedding model is set, so search matches words only.</p>` : ''}</section>
<section><h2>Failing sources</h2>${
      failing.length === 0
        ? html`<p class="muted">None. ${readWords(sources.length - paused, paused)}</p>`
        : html`<ul class="mini">${failing.slice(0, 10).map((source) => html`<li><a href="/admin/sources?q=${encodeURIComponent(source.slug)}">${source.name}</a><span class="sub">${source.fetchState.outcome ?? 'failing'}${source.fetchState.since ? ` for ${lasting(source.fetchState.since, shell.now)}` : ''}, ${plural(source.consecutiveErrors, 'error')} in a row</span></li>`)}</ul>${failing.length > 10 ? html`<p class="small"><a href="/admin/sources?health=failing">All ${failing.length}</a></p>` : ''}`
    }</section>
${
  fetches
    ? html`<section><div class="spread"><h2>Last fetches</h2><a class="small" href="/admin/fetch-log">Fetch log</a></div>${
        fetches.length > 0
          ? operatorTable(
              'Last fetches',
              FETCH_LOG_COLUMNS,
              fetches.map((row) => fetchLogRow(row, shell.now)),
            )
          : noFetches(sources.length, paused)
      }</section>`
    : html`<p class="small muted">Vectors and fetches are shown to tokens with the scope admin. Checked ${ago(new Date(shell.now).toISOString(), shell.now)}.</p>`
}`;
  },
});

function readWords(read: number, paused: number): string {
  const words = [
    read > 0 ? `${plural(read, 'source is', 'sources are')} read as planned` : '',
    paused > 0 ? `${plural(paused, read > 0 ? 'is' : 'source is', read > 0 ? 'are' : 'sources are')} paused` : '',
  ];
  const told = words.filter(Boolean).join(', ');
  return told ? `${told}.` : '';
}

function noFetches(sources: number, paused: number): Html {
  const isIdle = paused === sources;
  return empty({
    title: 'Nothing has been fetched yet',
    text:
      sources === 0
        ? 'There is no source yet.'
        : isIdle
          ? `${plural(sources, 'source is', 'sources are')} paused, as an import leaves them. Resume those that shall be read.`
          : 'The worker fetches sources when they are due. Is one running?',
    action: sources === 0 ? { path: '/admin/add', name: 'Add a source' } : { path: '/admin/sources', name: 'Sources' },
  });
}

function stat(value: number, name: string, bad = false): Html {
  return html`<p class="stat${bad ? ' bad' : ''}"><b>${formatCount(value)}</b><span>${name}</span></p>`;
}

const seconds = (value: number) => (value < 120 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`);
const waited = (value: number) => (value > 0 ? `due for ${seconds(value)}` : 'none is due');

function digestsOf({ digests, digestsWaiting, digestsPutOff }: WorkFigures): string {
  const failed = digests.reduce((sum, { outcome, count }) => (outcome === 'sent' ? sum : sum + count), 0);
  const sent = digests.find(({ outcome }) => outcome === 'sent')?.count ?? 0;
  return [
    `${formatCount(digestsWaiting)} waiting`,
    digestsPutOff > 0 ? `${formatCount(digestsPutOff)} of them not taken by the mail server yet` : '',
    `${formatCount(sent)} sent`,
    failed > 0 ? `${formatCount(failed)} failed` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function bytes(value: number): string {
  const gigabytes = value / 1e9;
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GB` : `${(value / 1e6).toFixed(1)} MB`;
}

function indexOf({ place, extension, filling }: EmbedStatus['index']): string {
  if (place === 'database') return `in PostgreSQL, by pgvector ${extension}`;
  const file = 'in a file that the processes of a machine share';
  return filling ? `${file}, until the one in PostgreSQL (pgvector ${extension}) is filled` : file;
}

function vectorsOf(name: string, { total, embedded, failed }: EmbedCounts): readonly [string, string] {
  const done = total === 0 ? 'none needed' : `${formatCount(embedded)} of ${formatCount(total)}`;
  return [name, failed > 0 ? `${done}, ${formatCount(failed)} failed` : done];
}
