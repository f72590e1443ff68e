import { z } from 'zod';
import { excerptCut, listCut, MOST_TOKENS } from '../budget.ts';
import { excerptOrg, type OrgResult, orgFacts, orgOutput, orgText, productsOf, sourcesOf } from '../org-result.ts';
import { toOverviewPart } from '../overview-part.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, toListItem } from '../shapes.ts';
import { tool } from '../tool.ts';

const SECTIONS = ['overview', 'products', 'sources', 'latest'] as const;
const LATEST = 10;

export const getOrg = tool({
  name: 'get_org',
  title: 'Read an organization',
  description:
    'One organization with its written overview, products, sources and newest releases. For more releases use latest_releases.',
  input: {
    org: z.string().trim().min(1).max(300).describe('Slug, org_ id or domain.'),
    include: z.array(z.enum(SECTIONS)).optional().describe('Only these parts; all unless given.'),
  },
  output: orgOutput,
  async run({ api, maxTokens, given }, { org, include = SECTIONS }) {
    const wants = new Set<string>(include);
    const [detail, feed] = await Promise.all([
      api.get('/orgs/{org}', { params: { org } }),
      wants.has('latest')
        ? api.get('/orgs/{org}/releases', { params: { org }, query: { limit: LATEST, include_content: false } })
        : null,
    ]);
    const whole: OrgResult = {
      org: orgFacts.parse(detail),
      ...(wants.has('overview') ? { overview: toOverviewPart(detail.overview) } : {}),
      ...(wants.has('products') ? { products: productsOf(detail) } : {}),
      ...(wants.has('sources') ? { sources: sourcesOf(detail) } : {}),
      ...(feed ? { latest: feed.releases.map(toListItem) } : {}),
    };
    return fitResult<OrgResult>(
      {
        value: whole,
        cuts: [
          listCut('sources', 5),
          listCut('products', 5),
          listCut('latest', 3),
          excerptCut(excerptOrg),
          listCut('sources'),
          listCut('products'),
          listCut('latest'),
        ],
        text: orgText,
        truncation(value, cut) {
          if (!cut) return COMPLETE;
          const partial = SECTIONS.filter((name) => JSON.stringify(value[name]) !== JSON.stringify(whole[name]));
          const omitted = (['products', 'sources', 'latest'] as const).reduce(
            (sum, name) => sum + (whole[name]?.length ?? 0) - (value[name]?.length ?? 0),
            0,
          );
          // The parts that were cut, alone and with the largest budget; nothing more can be had after that.
          const isNarrower = partial.length > 0 && (partial.length < include.length || maxTokens < MOST_TOKENS);
          const next = isNarrower ? { ...given, include: partial, max_tokens: MOST_TOKENS } : null;
          return { truncated: true, reason: 'token_budget', omitted, next };
        },
      },
      maxTokens,
    );
  },
});
