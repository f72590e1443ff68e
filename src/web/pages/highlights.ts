// /{org}/{source}/highlights: summaries of a source's recent releases and of its months.
import { resolveSource, type SourcePath } from '../../catalog/resolve.ts';
import { sourceDetail } from '../../catalog/sources/detail.ts';
import type { Context } from '../../context.ts';
import type { SourceDetail, SummaryText } from '../../contract/source.ts';
import { type Html, html, plural } from '../components/html.ts';
import { empty } from '../components/parts.ts';
import { renderedNotes } from '../components/prose.ts';
import { sourceFacts, sourceHead, sourceTrail } from '../components/source-frame.ts';
import { longDate } from '../components/time.ts';
import type { WebPage } from '../frame/document.ts';
import { breadcrumbs } from '../frame/head.ts';
import type { Shell } from '../frame/shell.ts';
import { sourcePath } from '../links.ts';
import { page } from '../page.ts';
import { movedSource } from './moved-source.ts';

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
    const summaries = [...(rolling ? [rolling] : []), ...monthly];
    const texts = await Promise.all(
      summaries.map(({ summary }, index) => renderedNotes({ content: summary, prefix: `r${index + 1}-` })),
    );
    return {
      source: detail,
      sections: summaries.map((summary, index) => ({ summary, text: texts[index]?.html ?? '' })),
    };
  },
  show: ({ source, sections }: Highlights, shell: Shell): WebPage => {
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
<div class="cols"><div class="article">${sections.length > 0 ? sections.map(section) : empty({ title: 'No highlights yet', text: 'A summary is made once a month has enough releases.', action: { path, name: 'See the releases' } })}</div>
<aside class="panel" aria-label="About ${source.name}">${sourceFacts(source, shell)}</aside></div>`,
    };
  },
};

interface Highlights {
  source: SourceDetail;
  sections: { summary: SummaryText; text: Html }[];
}

export const highlightsPage = page({
  ...highlightsOf,
  path: '/{org}/{source}/highlights',
  moved: movedSource('/highlights'),
  load: (ctx, { params: { org = '', source = '' } }) => highlightsOf.load(ctx, { org, source }),
});

function section({ summary, text }: { summary: SummaryText; text: Html }): Html {
  const heading =
    summary.type === 'rolling'
      ? `The last ${summary.windowDays ?? 90} days`
      : `${MONTHS[summary.month - 1]} ${summary.year}`;
  return html`<section class="block first"><h2>${heading}</h2><div class="prose">${text}</div><p class="who">Taken from ${plural(summary.releaseCount, 'release')} on ${longDate(summary.generatedAt)}</p></section>`;
}
