// card.png of upgrades, packages, releases and organizations: what link previews show. The same for everybody, so private packages
// have none, and nothing is ordered by drawing one.

import type { Context } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { ECOSYSTEM_WORDS } from '../../domain/ecosystems/index.ts';
import { levelOf } from '../../domain/upgrade/report/answer.ts';
import { VERDICT_WORDS } from '../../domain/upgrade/verdict-words.ts';
import { addressedOrg } from '../../entities/open.ts';
import { Reply } from '../../http/kernel/reply.ts';
import { type RouteDeclaration, route } from '../../http/kernel/route.ts';
import { packageDetail } from '../../packages/details/detail.ts';
import { detailOf, resolveRelease } from '../../releases/detail.ts';
import { assetBytes } from '../assets.ts';
import { type Card, type CardMark, cardSvg } from '../cards/card-svg.ts';
import { cardPicture } from '../cards/draw-card.ts';
import { plural } from '../components/html.ts';
import { longDate } from '../components/time.ts';
import { bareVersion } from '../components/verdict.ts';
import { askedUpgrade } from './upgrades/asked.ts';
import { loadUpgrade, type UpgradeView } from './upgrades/load.ts';
import { upgradeDescription, verdictOfStep } from './upgrades/sentence.ts';

const SECONDS = 3600;
const SOON = 60;

type Params = Record<string, string>;

// Null for what has no card of its own.
function cardRoute(
  path: string,
  summary: string,
  cardOf: (ctx: Context, params: Params) => Promise<Card | Reply | null>,
): RouteDeclaration {
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Pages',
    access: 'public',
    query: null,
    answers: null,
    run: async (called, { params }) => {
      const ctx = { ...called, caller: { ...ANONYMOUS, passive: true as const } };
      const card = await cardOf(ctx, params);
      if (card instanceof Reply) return card;
      const drawn = card && (await cardPicture(cardSvg(card)));
      return new Reply(200, Buffer.from(drawn ?? assetBytes('icon/social.png')), {
        'Content-Type': 'image/png',
        'Cache-Control': `public, max-age=${drawn ? SECONDS : SOON}`,
      });
    },
  });
}

const UPGRADE = 'An upgrade as a picture for link previews';

export const cardRoutes = [
  cardRoute('/packages/{ecosystem}/{name}/card.png', 'A package as a picture for link previews', packageCard),
  cardRoute('/packages/{ecosystem}/{scope}/{name}/card.png', UPGRADE, (ctx, params) =>
    askedUpgrade(params) ? upgradeCard(ctx, params) : packageCard(ctx, params),
  ),
  cardRoute('/packages/{ecosystem}/{scope}/{name}/{step}/card.png', UPGRADE, upgradeCard),
  cardRoute('/release/{rel}/card.png', 'A release as a picture for link previews', releaseCard),
  cardRoute('/{org}/card.png', 'An organization as a picture for link previews', orgCard),
];

async function upgradeCard(ctx: Context, params: Params): Promise<Card | Reply | null> {
  const asked = askedUpgrade(params);
  if (!asked) return null;
  const view = await loadUpgrade(ctx, asked, { asker: 'api', suffix: '/card.png' });
  if (view instanceof Reply) return view;
  return view.isIndexable ? cardOfUpgrade(view, ctx) : null;
}

function cardOfUpgrade(view: UpgradeView, { config, clock }: Context): Card {
  const { answer, spelling } = view;
  const { entries, total, history } = answer;
  const versions = Math.max(history?.published ?? 0, total);
  const byPackage = entries.map(({ evidence }): CardMark => {
    const { proven = 0, likely = 0 } = evidence?.counts ?? {};
    return proven > 0 ? 'major' : likely > 0 ? 'minor' : evidence ? 'none' : 'unknown';
  });
  return {
    level: levelOf(answer),
    name: spelling,
    range: [bareVersion(answer.fromVersion ?? answer.from), bareVersion(answer.toVersion ?? answer.to)],
    sentence: `It${verdictOfStep(view)}`.replace(/^It: (.)/, (_, first: string) => first.toUpperCase()),
    line: upgradeDescription(view),
    foot: `${config.siteName}, ${plural(versions, 'version')}, as of ${longDate(clock().toISOString())}`,
    lanes:
      entries.length < 2
        ? []
        : [
            { name: 'Notes', marks: entries.map(({ breaking }) => breaking) },
            ...(answer.evidence?.pairs.length ? [{ name: 'Package', marks: byPackage }] : []),
          ],
  };
}

async function packageCard(ctx: Context, { ecosystem = '', scope, name = '' }: Params): Promise<Card> {
  const detail = await packageDetail(ctx, { ecosystem, name: scope === undefined ? name : `${scope}/${name}` });
  const { published, noted } = detail.versions;
  return {
    level: null,
    name: detail.name,
    range: null,
    sentence: detail.latest ? `${detail.latest} is the newest version` : 'Its versions, and what they break',
    line: `${plural(published ?? noted, 'version')}, ${noted} with notes`,
    foot: `${ctx.config.siteName}, ${ECOSYSTEM_WORDS[detail.ecosystem]}`,
    lanes: [],
  };
}

async function releaseCard(ctx: Context, { rel = '' }: Params): Promise<Card> {
  const release = await detailOf(ctx, await resolveRelease(ctx, rel));
  const { breaking, source, org, version, title, publishedAt } = release;
  return {
    level: breaking,
    name: org?.name ?? source.name,
    range: null,
    sentence: title || version || source.name,
    line: VERDICT_WORDS[breaking],
    foot: [ctx.config.siteName, publishedAt ? longDate(publishedAt) : ''].filter(Boolean).join(', '),
    lanes: [],
  };
}

async function orgCard(ctx: Context, { org: name = '' }: Params): Promise<Card> {
  const org = await addressedOrg(ctx, name);
  return {
    level: null,
    name: org.name,
    range: null,
    sentence: org.description ?? 'What it releases, and what breaks',
    line: plural(org.release_count, 'release'),
    foot: ctx.config.siteName,
    lanes: [],
  };
}
