// /{org}/{source}/highlights: summaries of a source's recent releases and of its months.

import type { Context } from '../../context.ts';
import type { SourceDetail, SummaryText } from '../../contract/source.ts';
import { isDigest } from '../../domain/summaries/is-digest.ts';
import { type SummaryStatement, summaryParts } from '../../domain/summaries/summary-parts.ts';
import { resolveSource, type SourcePath } from '../../entities/resolve.ts';
import { sourceDetail } from '../../releases/details/source.ts';
import { releaseUrlsByVersion } from '../../releases/feeds/by-version.ts';
import { type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { versionMark } from '../components/marks.ts';
import { empty } from '../components/parts.ts';
import { inlineCode, renderedNotes } from '../components/prose.ts';
import { sourceFacts, sourceHead, sourceTrail } from '../components/source-frame.ts';
import { longDate } from '../components/time.ts';
import { breadcrumbs, type WebPage } from '../frame/document.ts';
import type { Shell } from '../frame/shell.ts';
import { releasePath, sourcePath } from '../links.ts';
import { page } from '../page.ts';
import { movedSource } from './moved-source.ts';

const SHOWN_SECTIONS = 7;
const SHOWN_STATEMENTS = 5;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export const highlightsOf = {
  summary: 'Summaries of a source',
  dependsOn: 'resolved' as const,
  load: async (ctx: Context, address: SourcePath) => {
    const found = await resolveSource(ctx, address);
    const detail = await sourceDetail(ctx, found, { filter: {}, page: { limit: 1, includeContent: false }, number: 1 });
    const { rolling, monthly } = detail.summaries;
    const summaries = [...(rolling ? [rolling] : []), ...monthly].filter(isDigest);
    const parts = summaries.map(({ summary }) => summaryParts(summary));
    const named = parts.flatMap((part) => part?.statements.flatMap(({ version }) => version ?? []) ?? []);
    // Versions with a leading "v" are told without it.
    const [addresses, texts] = await Promise.all([
      releaseUrlsByVersion(
        ctx,
        detail.id,
        named.flatMap((version) => [version, `v${version}`]),
      ),
      Promise.all(
        summaries.map(({ summary }, index) =>
          parts[index] ? null : renderedNotes({ content: summary, prefix: `r${index + 1}-` }),
        ),
      ),
    ]);
    return {
      source: detail,
      addresses,
      sections: summaries.map((summary, index) => ({
        summary,
        parts: parts[index] ?? null,
        text: texts[index]?.html ?? '',
      })),
    };
  },
  show: ({ source, sections, addresses }: Highlights, shell: Shell): WebPage => {
    const [shown, older] = [sections.slice(0, SHOWN_SECTIONS), sections.slice(SHOWN_SECTIONS)];
    const drawn = (list: Highlights['sections']) =>
      list.map((one) => section(one, addresses, one === sections[0] ? 'block first' : 'block'));
    const path = sourcePath(source.orgSlug, source.slug);
    return {
      name: 'highlights',
      head: {
        title: `${source.name} highlights`,
        description: sections[0]?.summary.summary,
        canonical: `${path}/highlights`,
        jsonLd: [
          breadcrumbs(shell, [
            ...sourceTrail(source),
            { name: source.name, path },
            { name: 'Highlights', path: `${path}/highlights` },
          ]),
        ],
      },
      body: html`${sourceHead(source, shell, { current: 'highlights' })}
<div class="cols"><div class="article">${sections.length > 0 ? html`${drawn(shown)}${older.length > 0 ? html`<details class="fold block"><summary>${icon('chevron')}${plural(older.length, 'older month')}</summary>${drawn(older)}</details>` : ''}` : empty({ title: 'No highlights yet', text: 'A month with many releases gets highlights; the releases of the others are seen at a glance.', action: { path, name: 'See the releases' } })}</div>
<aside class="panel" aria-label="About ${source.name}">${sourceFacts(source, shell)}</aside></div>`,
    };
  },
};

interface Highlights {
  source: SourceDetail;
  // The pages of the versions that the summaries name.
  addresses: ReadonlyMap<string, string>;
  sections: { summary: SummaryText; parts: ReturnType<typeof summaryParts>; text: Html }[];
}

export const highlightsPage = page({
  ...highlightsOf,
  path: '/{org}/{source}/highlights',
  moved: movedSource('/highlights'),
  load: (ctx, { params: { org = '', source = '' } }) => highlightsOf.load(ctx, { org, source }),
});

function section(
  { summary, parts, text }: Highlights['sections'][number],
  addresses: Highlights['addresses'],
  style: string,
): Html {
  const heading =
    summary.type === 'rolling'
      ? `The last ${summary.windowDays ?? 90} days`
      : `${MONTHS[summary.month - 1]} ${summary.year}`;
  const body = parts
    ? html`<p class="section-note">${parts.opening}</p>${statementList(parts.statements, addresses)}`
    : html`<div class="prose">${text}</div>`;
  return html`<section class="${style}"><h2 class="sub-head">${heading}</h2>${body}<p class="who">From the notes of ${plural(summary.releaseCount, 'release')}, put together on ${longDate(summary.generatedAt)}</p></section>
`;
}

function statementList(statements: readonly SummaryStatement[], addresses: Highlights['addresses']): Html {
  const row = ({ text, version }: SummaryStatement) => {
    const address = version === null ? undefined : (addresses.get(version) ?? addresses.get(`v${version}`));
    const words = inlineCode(text);
    return html`<li>${address ? html`<a href="${releasePath({ webUrl: address })}" dir="auto">${words}</a>` : html`<span dir="auto">${words}</span>`}<span class="muted small">${versionMark(version)}</span></li>`;
  };
  const more = statements.slice(SHOWN_STATEMENTS);
  return html`<ul class="mini">${statements.slice(0, SHOWN_STATEMENTS).map(row)}</ul>${more.length > 0 ? html`<details class="fold"><summary>${icon('chevron')}${plural(more.length, 'more change')}</summary><ul class="mini">${more.map(row)}</ul></details>` : ''}`;
}
