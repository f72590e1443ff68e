// /packages/{ecosystem}/{name}: the state of a package, its last steps, all its versions, and where that comes from.

import type { Context } from '../../context.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import type { PackageDetail } from '../../contract/package.ts';
import { flag, oneOf, pageNumber } from '../../contract/query.ts';
import type { ReadingState } from '../../contract/reading.ts';
import { ECOSYSTEMS, packageKey } from '../../domain/ecosystems/index.ts';
import { Reply } from '../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { packageCalendar } from '../../packages/details/calendar.ts';
import { detailOf, latestOf } from '../../packages/details/detail.ts';
import { judgedSteps } from '../../packages/details/judged-steps.ts';
import { findPackage, type KnownPackage, knownPackage, packageNamed } from '../../packages/details/known-package.ts';
import { packageMarkdown } from '../../packages/details/markdown.ts';
import { orderPackageReading } from '../../packages/details/order-reading.ts';
import { chosenVersions, pageOfVersions, VERSION_CHOICES, versionsOfPackage } from '../../packages/details/versions.ts';
import type { FeedSubject } from '../../releases/atom/subjects.ts';
import { type PackageView, showPackage } from '../components/package-view.ts';
import { segment } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import { markdownReply } from '../formats/markdown.ts';
import { packagePath } from '../links.ts';
import { type PageFormat, page } from '../page.ts';
import { askedUpgrade } from './upgrades/asked.ts';
import { upgradeJson, upgradeText } from './upgrades/formats.ts';
import { type AskedUpgrade, loadUpgrade, type UpgradeView } from './upgrades/load.ts';
import { showUpgrade } from './upgrades/show-upgrade.ts';

const ROWS = 50;
const MARKDOWN_ROWS = 100;

const packageQuery = { show: oneOf(VERSION_CHOICES), pre: flag(), page: pageNumber() };

type Params = Record<string, string>;

function asked({ ecosystem = '', scope, name = '' }: Params) {
  return { ecosystem, name: scope === undefined ? name : `${scope}/${name}` };
}

async function load(ctx: Context, params: Params, query: { show?: PackageView['show']; pre?: boolean; page?: number }) {
  const named = asked(params);
  const found = await findPackage(ctx, named);
  const reading = await orderPackageReading(ctx, named, { known: found, asker: 'person' });
  const known = found ?? unknownPackage(ctx, named, reading);
  const versions = await versionsOfPackage(ctx, known);
  const { show = 'all', pre = false, page = 1 } = query;
  // A package that has nothing but pre-releases would seem empty.
  const prereleases = pre || versions.every(({ prerelease }) => prerelease);
  const chosen = chosenVersions(versions, { show, prereleases });
  return {
    known,
    reading,
    calendar: await packageCalendar(ctx, known, versions),
    detail: detailOf(known, versions),
    latest: latestOf(known, versions) ?? null,
    oldest: firstPublished(versions),
    steps: await judgedSteps(ctx, known, versions),
    versions: pageOfVersions(chosen, { page, limit: ROWS }),
    hiddenPrereleases: prereleases ? 0 : versions.filter(({ prerelease }) => prerelease).length,
    show,
    prereleases: pre,
    elsewhere: await elsewhere(ctx, known),
    isOpen: ctx.config.lookups.access === 'public',
  };
}

// Null where a later version has an earlier date: a mirror dates old versions by the day on which it copied them.
function firstPublished(versions: Awaited<ReturnType<typeof versionsOfPackage>>): string | null {
  const first = versions.at(-1)?.publishedAt ?? null;
  return first !== null && versions.some(({ publishedAt }) => publishedAt !== null && publishedAt < first)
    ? null
    : first;
}

// The page of an unknown package says that it is being read, or offers to have it read.
function unknownPackage(ctx: Context, named: ReturnType<typeof asked>, reading: ReadingState | null): never {
  const isOpen = ctx.config.lookups.access === 'public' && packageNamed(named) !== null;
  throw new ApiError('not_found', `package not found: ${named.name}`, {
    entity: 'package',
    value: named.name,
    ...(reading === null ? {} : { reading }),
    ...(isOpen ? { track: named } : {}),
  });
}

// The package of the same name in another ecosystem.
async function elsewhere(ctx: Context, { ecosystem, name }: KnownPackage): Promise<PackageView['elsewhere']> {
  if (name.includes('/')) return null;
  for (const one of ECOSYSTEMS.filter((one) => one !== ecosystem)) {
    const other = await findPackage(ctx, { ecosystem: one, name });
    if (other) return { ecosystem: other.ecosystem, name: other.name };
  }
  return null;
}

async function subject(ctx: Context, params: Params): Promise<FeedSubject> {
  const known = await knownPackage(ctx, asked(params));
  const { source, part } = known.notes ?? { source: null, part: null };
  return {
    key: `package/${packageKey(known)}`,
    name: known.spelling,
    description: null,
    author: source?.name ?? null,
    icon: null,
    createdAt: null,
    changedAt: known.state?.listed_at ?? null,
    branches: source ? [{ column: 'source_id', value: source.id }] : [],
    filter: source ? { packagePart: part } : {},
  };
}

const json: PageFormat = async (_ctx, { params, request }) => {
  const { ecosystem, name } = asked(params);
  return (await request.forward(`/v1/packages/${segment(ecosystem)}/${segment(name)}`)).reply;
};

const md: PageFormat = async (called, { params }) => {
  const ctx = { ...called, caller: ANONYMOUS };
  const known = await knownPackage(ctx, asked(params));
  const versions = await versionsOfPackage(ctx, known);
  const detail: PackageDetail = detailOf(known, versions);
  const url = `${ctx.config.webUrl}${packagePath(known.ecosystem, known.name)}`;
  return markdownReply(packageMarkdown({ detail, versions, most: MARKDOWN_ROWS, url }));
};

const atom = atomFeed({ subject });

// What a path below `/packages` shows: a package, or the way from one of its versions to another.
type Shown = { view: PackageView } | { upgrade: UpgradeView; check: string; isOpen: boolean };

async function loadShown(ctx: Context, params: Params, query: Parameters<typeof load>[2]): Promise<Shown | Reply> {
  const upgrade = await upgradeOf(ctx, params);
  if (!upgrade) return { view: await load(ctx, params, query) };
  const view = await loadUpgrade(ctx, upgrade);
  const { packages, lookups } = ctx.config;
  return view instanceof Reply
    ? view
    : { upgrade: view, check: packages.checkCommand, isOpen: lookups.access === 'public' };
}

async function upgradeOf(ctx: Context, params: Params): Promise<AskedUpgrade | null> {
  const upgrade = askedUpgrade(params);
  const isPackage = upgrade !== null && params.step === undefined && (await findPackage(ctx, asked(params))) !== null;
  return isPackage ? null : upgrade;
}

// The format of an upgrade, or of the package.
function either(
  ofUpgrade: (ctx: Context, upgrade: AskedUpgrade) => Promise<Reply>,
  ofPackage: PageFormat | null,
): PageFormat {
  return async (ctx, requested) => {
    const upgrade = await upgradeOf(ctx, requested.params);
    if (upgrade) return ofUpgrade(ctx, upgrade);
    if (!ofPackage) throw notFound('page', requested.path);
    return ofPackage(ctx, requested);
  };
}

const formats = { json: either(upgradeJson, json), md: either(upgradeText, md), atom };

function packagePage(path: string): RouteDeclaration {
  return page({
    path,
    summary: 'A package and its versions',
    query: packageQuery,
    moved: async (_ctx, params) => {
      if (askedUpgrade(params)) return null;
      const given = asked(params);
      const named = packageNamed(given);
      return named && named.name !== given.name ? packagePath(named.ecosystem, named.name) : null;
    },
    isNamed: async (ctx, params, suffix) => {
      const whole = { ...params, name: `${params.name ?? ''}${suffix}` };
      return (await findPackage(ctx, asked(whole))) ? whole : null;
    },
    formats,
    load: (ctx, { params, query }) => loadShown(ctx, params, query),
    show: (shown, shell) =>
      'view' in shown ? showPackage(shown.view, shell) : showUpgrade(shown.upgrade, shell, shown),
  });
}

// A scoped name is taken with its slash encoded, or as two segments.
export const packagePages = ['/packages/{ecosystem}/{name}', '/packages/{ecosystem}/{scope}/{name}'].map(packagePage);

export const scopedUpgradePage = page({
  path: '/packages/{ecosystem}/{scope}/{name}/{step}',
  summary: 'What an upgrade of a package breaks, and what to do',
  formats: { json: either(upgradeJson, null), md: either(upgradeText, null) },
  load: (ctx, { params }) => loadShown(ctx, params, {}),
  show: (shown, shell) => ('view' in shown ? showPackage(shown.view, shell) : showUpgrade(shown.upgrade, shell, shown)),
});
