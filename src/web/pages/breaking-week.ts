// /breaking and /breaking/{week}: what broke in a week on each ecosystem, minors and patches first.
import type { Context } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { ATOM_TYPE, atomDocument } from '../../domain/atom/feed.ts';
import { readWeek, spanOfWeek, type Week, weekBeside, weekOf, weekSlug } from '../../domain/breaking/weeks.ts';
import { ECOSYSTEM_WORDS, ECOSYSTEMS } from '../../domain/ecosystems/index.ts';
import { JSON_TYPE, Reply } from '../../http/kernel/reply.ts';
import { type BrokenVersion, type BrokenWeek, brokenInWeek } from '../../packages/breaking/week.ts';
import { WEB_ASSETS } from '../assets.ts';
import { type Html, html, plural } from '../components/html.ts';
import { icon } from '../components/icon.ts';
import { VERDICT_ICONS, versionMark, versionRange } from '../components/marks.ts';
import { empty } from '../components/parts.ts';
import { inlineCode } from '../components/prose.ts';
import { shortDate } from '../components/time.ts';
import { markdownReply } from '../formats/markdown.ts';
import type { Shell } from '../frame/shell.ts';
import { packagePath, whatsChangedPath } from '../links.ts';
import { type PageFormat, page } from '../page.ts';

const PATH = '/breaking';
const SHOWN = 60;

function askedWeek(ctx: Context, { week: slug }: Record<string, string>): Week {
  if (slug === undefined) return weekOf(ctx.clock());
  const week = readWeek(slug);
  // Nothing has broken in the future.
  if (week === null || spanOfWeek(week).since > ctx.clock().toISOString()) throw notFound('week', slug);
  return week;
}

const weekPath = (week: Week) => `${PATH}/${weekSlug(week)}`;

const json: PageFormat = async (ctx, { params }) =>
  new Reply(200, JSON.stringify(await brokenInWeek(ctx, askedWeek(ctx, params))), { 'Content-Type': JSON_TYPE });

const md: PageFormat = async (ctx, { params }) => {
  const week = askedWeek(ctx, params);
  const found = await brokenInWeek(ctx, week);
  const part = (title: string, items: readonly BrokenVersion[]) =>
    items.length === 0 ? [] : [`## ${title}`, '', ...items.map((one) => `- ${markdownRow(one)}`), ''];
  const [quiet, majors] = [ofStep(found, 'minor_or_patch'), ofStep(found, 'major')];
  const text = [
    `# What broke in ${weekSlug(week)}`,
    '',
    `${weekWords(week)}. ${countWords(found)}.`,
    '',
    ...part('Minor and patch versions', quiet),
    ...part('Major versions', majors),
    `${ctx.config.webUrl}${weekPath(week)}`,
    '',
  ];
  return markdownReply(text.join('\n'));
};

// Text of strangers stays text.
const plain = (text: string) => text.replaceAll(/[\\`*_[\]<>#|!&]/g, '\\$&').replaceAll(/\s+/g, ' ');

function markdownRow({ ecosystem, name, from, version, what, answer, ...one }: BrokenVersion): string {
  const step = from === null ? version : `${from} → ${version}`;
  return `${plain(name)} (${ECOSYSTEM_WORDS[ecosystem]}) ${plain(step)}: ${ANSWERS[answer].words}. ${plain(what)}. ${proofWords(one)}; ${NOTES[one.notes]}`;
}

const atom: PageFormat = async (ctx, { params, path }) => {
  const found = await brokenInWeek(ctx, askedWeek(ctx, params));
  const { webUrl } = ctx.config;
  const updated =
    found.items
      .map(({ publishedAt }) => publishedAt)
      .sort()
      .at(-1) ?? found.since;
  const document = atomDocument({
    id: `${webUrl}${PATH}`,
    title: 'What broke',
    subtitle: 'Versions that break something, proven from packages or told by notes',
    updated,
    self: `${webUrl}${path}.atom`,
    alternate: `${webUrl}${path}`,
    author: 'Release Registry',
    generator: { name: 'Release Registry', version: WEB_ASSETS.version },
    entries: found.items.map((one) => ({
      id: `${webUrl}${packagePath(one.ecosystem, one.name)}#${encodeURIComponent(one.version)}`,
      title: `${one.name} ${one.version}: ${one.what}`,
      published: one.publishedAt,
      updated: one.publishedAt,
      alternate: `${webUrl}${stepPath(one)}`,
      related: null,
      author: one.name,
      categories: [{ term: one.ecosystem }, { term: one.step }],
      summary: `${ANSWERS[one.answer].words}. ${proofWords(one)}; ${NOTES[one.notes]}`,
      content: String(html`<p>${one.what}</p><p>${proofWords(one)}; ${NOTES[one.notes]}</p>`),
    })),
  });
  return new Reply(200, document, { 'Content-Type': ATOM_TYPE, 'X-Robots-Tag': 'noindex' });
};

interface Loaded {
  week: Week;
  isCurrent: boolean;
  found: BrokenWeek;
}

export const breakingWeekPages = [PATH, `${PATH}/{week}`].map((path) =>
  page({
    path,
    summary: 'What broke in a week',
    formats: { json, md, atom },
    load: async (ctx, { params }): Promise<Loaded> => {
      const week = askedWeek(ctx, params);
      return {
        week,
        isCurrent: weekSlug(week) === weekSlug(weekOf(ctx.clock())),
        found: await brokenInWeek(ctx, week),
      };
    },
    show: (loaded, shell) => ({
      name: 'breaking-week',
      head: {
        title: `What broke, ${weekWords(loaded.week)}`,
        description: `Versions of ${weekWords(loaded.week)} that break something, proven from packages or told by their notes.`,
        canonical: weekPath(loaded.week),
        forms: ['json', 'md', 'atom'],
        robots: shell.query.size > 0 || loaded.found.items.length === 0 ? 'noindex, follow' : undefined,
      },
      body: weekBody(loaded, shell),
    }),
  }),
);

function weekWords(week: Week): string {
  const { since, until } = spanOfWeek(week);
  const last = new Date(Date.parse(until) - 1).toISOString();
  return `${shortDate(since)} to ${shortDate(last)}`;
}

function ofStep({ items }: BrokenWeek, step: BrokenVersion['step']): BrokenVersion[] {
  return items.filter((one) => one.step === step);
}

function countWords({ items, compared, isCut }: BrokenWeek): string {
  const count = `${plural(items.length, 'version')} ${items.length === 1 ? 'breaks or may break' : 'break or may break'}${isCut ? ' and more' : ''}`;
  return `${count}; ${plural(compared, 'version')} ${compared === 1 ? 'was' : 'were'} compared`;
}

function weekBody({ week, isCurrent, found }: Loaded, shell: Shell): Html {
  const path = weekPath(week);
  const [quiet, majors] = [ofStep(found, 'minor_or_patch'), ofStep(found, 'major')];
  const [earlier, later] = [weekBeside(week, -1), weekBeside(week, 1)];
  const isLater = spanOfWeek(later).since <= new Date(shell.now).toISOString();
  return html`<div class="spread"><div><h1>${isCurrent ? 'What broke this week' : 'What broke in a week'}</h1><p class="lede">${weekWords(week)}, week ${week.week}.</p><p class="dot"><span>${countWords(found)}</span><span>${quiet.length} of them in a minor or patch</span></p></div><p class="cluster"><a class="btn small" href="${isCurrent ? PATH : path}.atom">${icon('feed')}Atom</a><a class="btn small" href="${path}.json">JSON</a></p></div>
${found.items.length === 0 ? empty({ title: 'Nothing is known to have broken', text: 'No version of this week that is known here breaks anything as far as its notes were read and its package was compared. Others were not looked at.', action: { path: weekPath(earlier), name: 'The week before' } }) : ''}
${section('Where the version number did not say so', 'Minor and patch versions', quiet)}${section('Major versions', 'Proven ones first', majors)}
<nav class="spread block" aria-label="Weeks"><a class="btn" href="${weekPath(earlier)}">${weekWords(earlier)}</a>${isLater ? html`<a class="btn" href="${weekPath(later)}">${weekWords(later)}</a>` : ''}</nav>
<section class="block"><h2>How this page is made</h2><p>Packages of the ${ECOSYSTEMS.map((one) => ECOSYSTEM_WORDS[one]).join(' and ')} registries that are read here. “Proven” is what the published packages themselves show against the version before; “likely” is so by their types. “The notes do not say so” is said only of notes that were read and judged. Dates are those of releases; what only a mirror dates is left out, and so is what nobody looked at.</p></section>`;
}

function section(title: string, note: string, items: readonly BrokenVersion[]): Html {
  if (items.length === 0) return '';
  const more = items.slice(SHOWN);
  return html`<section class="block"><div class="spread"><h2>${title}</h2><p class="small muted">${note}</p></div><ol class="week">${items.slice(0, SHOWN).map(row)}</ol>${more.length > 0 ? html`<details><summary>${more.length} more</summary><ol class="week">${more.map(row)}</ol></details>` : ''}</section>`;
}

const ANSWERS = {
  breaks: { badge: 'major', words: 'Breaks' },
  may_break: { badge: 'minor', words: 'May break' },
} as const;

const NOTES: Record<BrokenVersion['notes'], string> = {
  said: 'The notes say so',
  silent: 'The notes were read and do not say so',
  unread: 'Notes not read',
};

function proofWords({ proven, likely }: Pick<BrokenVersion, 'proven' | 'likely'>): string {
  if (proven > 0) return `Proven: ${plural(proven, 'change')} in the package`;
  return likely > 0 ? 'Likely, by its types' : 'The package was not compared or shows nothing';
}

function stepPath({ ecosystem, name, from, version }: BrokenVersion): string {
  return from === null
    ? packagePath(ecosystem, name)
    : whatsChangedPath({ package: name, ecosystem, from, to: version });
}

function row(one: BrokenVersion): Html {
  const { badge, words } = ANSWERS[one.answer];
  const step = one.from === null ? versionMark(one.version) : versionRange(one.from, one.version);
  return html`<li><div><a class="mono" href="${packagePath(one.ecosystem, one.name)}">${one.name}</a> <span class="muted small">${ECOSYSTEM_WORDS[one.ecosystem]}</span><br><span class="nowrap">${step}</span></div><div><p dir="auto"><b>${inlineCode(one.what)}</b></p><p class="small">${proofWords(one)}</p><p class="small muted">${NOTES[one.notes]}</p></div><p class="end"><span class="badge ${badge}">${icon(VERDICT_ICONS[badge])}${words}</span><a href="${stepPath(one)}">Proof<span class="sr"> for ${one.name} ${one.version}</span></a></p></li>`;
}
