// /{org}/overview: an organization's overview in cited statements, with the activity of its year.

import { orgHeatmap } from '../../entities/activity/counts.ts';
import { orgActivity } from '../../entities/activity/weekly.ts';
import { addressedOrg } from '../../entities/open.ts';
import { orgDetail } from '../../entities/orgs/detail.ts';
import { citedText } from '../components/cited-text.ts';
import { heatmap } from '../components/heatmap.ts';
import { html, plural } from '../components/html.ts';
import { asData, orgFacts, orgHead } from '../components/org-frame.ts';
import { empty } from '../components/parts.ts';
import { longDate } from '../components/time.ts';
import { plotRange, weeklyBars } from '../components/weekly-bars.ts';
import { apiAnswer, segment } from '../formats/api.ts';
import { overviewDocument } from '../formats/markdown.ts';
import { breadcrumbs } from '../frame/document.ts';
import { orgPath } from '../links.ts';
import { page } from '../page.ts';

export const orgOverviewPage = page({
  path: '/{org}/overview',
  summary: 'What an organization has been doing',
  dependsOn: 'resolved',
  moved: async (ctx, { org = '' }) => {
    const { slug } = await addressedOrg(ctx, org);
    return slug === org ? null : `${orgPath(slug)}/overview`;
  },
  formats: { json: apiAnswer(({ org = '' }) => `/orgs/${segment(org)}/overview`), md: overviewDocument },
  load: async (ctx, { params }) => {
    const org = params.org ?? '';
    const [detail, activity, year] = await Promise.all([
      orgDetail(ctx, { org }),
      orgActivity(ctx, { org, range: plotRange(ctx.clock().getTime()) }),
      orgHeatmap(ctx, { org }),
    ]);
    return { org: detail, activity, year };
  },
  show: ({ org, activity, year }, shell) => {
    const path = orgPath(org.slug);
    const { overview } = org;
    return {
      name: 'org-overview',
      head: {
        title: `${org.name} overview`,
        description: overview?.content ?? org.description,
        canonical: `${path}/overview`,
        forms: overview ? ['json', 'md'] : [],
        jsonLd: [
          breadcrumbs(shell, [
            { name: 'Catalog', path: '/catalog' },
            { name: org.name, path },
            { name: 'Overview', path: `${path}/overview` },
          ]),
        ],
      },
      body: html`${orgHead(org, 'overview', shell)}
<div class="cols"><div class="article"><h2 class="sr">Overview</h2>${
        overview
          ? html`${citedText(overview)}<p class="who">From the notes of ${plural(overview.releaseCount, 'release')}, put together on ${longDate(overview.generatedAt)}</p>`
          : empty({
              title: 'No overview yet',
              text:
                org.releaseCount > 0
                  ? 'An overview appears once there are enough recent releases to sum up.'
                  : `The registry knows no release of ${org.name}.`,
              action: { path, name: 'See the releases' },
            })
      }
${activity.aggregateWeekly.length > 0 ? html`<section class="block"><h2>Releases by week</h2>${weeklyBars({ weeks: activity.aggregateWeekly, unreadWeeks: activity.unreadWeeks }, plotRange(shell.now))}</section>` : ''}</div>
<aside class="panel" aria-label="About ${org.name}">${year.total > 0 ? html`<section class="full"><h2>The last year</h2>${heatmap(year, shell.now)}</section>` : ''}${orgFacts(org, shell)}${overview ? asData(`${path}/overview`, ['json', 'md']) : ''}</aside></div>`,
    };
  },
});
