// The versions of a range in detail: the breaking ones with what their notes say, those that may break, what is not known, and
// all versions by major line.
import type { UpgradeEntry, WhatsChanged } from '../../contract/whats-changed.ts';
import { migrationSteps } from '../../domain/notes/steps.ts';
import { verdictWord } from '../../domain/upgrade/verdict-words.ts';
import { outsideUrl, releasePath } from '../links.ts';
import { type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { versionMark } from './marks.ts';
import { shownByPackage } from './package-evidence.ts';
import { inlineCode } from './prose.ts';
import { clauses } from './release-list.ts';
import { countSteps } from './steps.ts';
import { shortDate, timeMark } from './time.ts';
import { hasNotes, missingVersions, silentEntries } from './upgrade-gaps.ts';
import { askAgain } from './upgrade-help.ts';
import { bareVersion, verdictGlyph } from './verdict.ts';
import { anchorOf, eraOf, isBreakingVersion } from './version-lanes.ts';

const SHOWN_BREAKING = 12;
const SHOWN_STATEMENTS = 6;
const SHOWN_GAPS = 40;
const MIN_RUN_LENGTH = 3;

const when = ({ publishedAt }: UpgradeEntry) =>
  publishedAt ? html`<span class="when">${timeMark(publishedAt, shortDate(publishedAt))}</span>` : '';
const withdrawn = (entry: UpgradeEntry) =>
  entry.withdrawn
    ? html` <span class="badge line" title="Its author has taken this version back">Withdrawn</span>`
    : '';
const versionOf = ({ version }: UpgradeEntry) => versionMark(version && bareVersion(version));

// A title that only repeats the package and its version says nothing beside them.
function titleOf({ title, version }: Pick<UpgradeEntry, 'title' | 'version'>): string {
  const bare = version ? bareVersion(version).replace(/^v/, '') : '';
  const at = bare === '' ? -1 : title.indexOf(bare);
  const rest = at === -1 ? title : title.slice(at + bare.length).replace(/^[\s:,–—-]+/, '');
  return rest === '' ? title : rest;
}

export function breakingVersions(answer: WhatsChanged): Html {
  const { entries, summary } = answer;
  const list = entries.filter(isBreakingVersion);
  if (list.length === 0) return '';
  const all = summary.breaking.major + list.filter(({ breaking }) => breaking !== 'major').length;
  const breakingVersion = (entry: UpgradeEntry) => versionArticle(entry, answer);
  const heading =
    all > list.length
      ? `The newest ${list.length} of ${all} breaking versions`
      : list.length === 1
        ? 'The breaking version'
        : `The ${list.length} breaking versions`;
  const folded = list.slice(SHOWN_BREAKING);
  return html`<section id="breaking"><h2>${heading}</h2>${list.slice(0, SHOWN_BREAKING).map(breakingVersion)}${folded.length > 0 ? html`<details class="fold"><summary>${icon('chevron')}${plural(folded.length, 'more breaking version')}</summary>${folded.map(breakingVersion)}</details>` : ''}</section>`;
}

function versionArticle(entry: UpgradeEntry, answer: WhatsChanged): Html {
  return html`<article class="brk" id="${anchorOf(entry)}">${versionHead(entry, 'major')}
<div class="says">${notesSay(entry, answer)}${shownByPackage(entry, answer.evidence)}</div></article>
`;
}

export function versionHead(entry: UpgradeEntry, level: 'major' | 'minor'): Html {
  return html`<header>${verdictGlyph(level)}${versionOf(entry)}<h3 dir="auto"><a href="${releasePath(entry)}">${titleOf(entry)}</a>${withdrawn(entry)}</h3>${when(entry)}</header>`;
}

export function notesSay(entry: UpgradeEntry, { steps: told }: Pick<WhatsChanged, 'steps'>): Html {
  const original = outsideUrl(entry.url);
  const statements = entry.summary ? clauses(entry.summary) : entry.excerpt ? [entry.excerpt] : [];
  const more = statements.length - SHOWN_STATEMENTS;
  const asked = countSteps(entry, told);
  const place = entry.migrationNotes === null ? '' : '#must-h';
  return html`<div class="notes"><h4>${icon('page')}Notes say</h4>${statements.length > 0 ? html`<ul dir="auto">${statements.slice(0, SHOWN_STATEMENTS).map((statement) => html`<li>${inlineCode(statement)}</li>`)}</ul>` : html`<p class="silent">This version has no notes.</p>`}${entry.judgedBy === 'version' ? html`<p class="silent">A new major version; nothing says what breaks.</p>` : ''}${statements.length > 0 && entry.breaking === 'none' ? html`<p class="silent">Nothing about a break.</p>` : ''}<p class="small">${more > 0 ? html`<a href="${releasePath(entry)}">${plural(more, 'more change')}</a> ` : ''}${asked > 0 ? html`<a href="${releasePath(entry)}${place}">${plural(asked, 'step')}</a> ` : html`<span class="muted">No steps found in the notes.</span> `}${original ? html`<a href="${original}" rel="nofollow noopener noreferrer">Original note ${icon('external')}</a>` : ''}</p></div>`;
}

export function minorBreaks(entries: readonly UpgradeEntry[]): Html {
  const list = entries.filter((entry) => entry.breaking === 'minor' && !isBreakingVersion(entry));
  if (list.length === 0) return '';
  return html`<section class="block" id="minor"><h2>${plural(list.length, 'version')} that ${verdictWord('minor')}</h2><ol class="vlist">${list.map(versionRow)}</ol></section>`;
}

function versionRow(entry: UpgradeEntry): Html {
  const title = hasNotes(entry)
    ? html`<a href="${releasePath(entry)}" dir="auto">${inlineCode(titleOf(entry))}</a>`
    : html`<a class="muted" href="${releasePath(entry)}">No notes for this version</a>`;
  return html`<li class="${entry.breaking}">${verdictGlyph(entry.breaking)}${versionOf(entry)}<span>${title}${withdrawn(entry)}</span>${when(entry)}</li>`;
}

// The older part of a long answer, with every break in it by name.
export function leftOut(answer: WhatsChanged): Html {
  const omitted = answer.omitted ?? 0;
  const all = answer.omittedBreaking ?? [];
  const between = all.filter(({ prerelease }) => prerelease);
  const breaks = all.filter((one) => !between.includes(one));
  const older = answer.continue
    ? html` <a href="${askAgain(answer, { from: answer.continue.from, to: answer.continue.to })}">See the older part</a>`
    : '';
  const row = ({ id, version, breaking, title, step }: (typeof breaks)[number]) =>
    html`<li class="${breaking}">${verdictGlyph(breaking)}${versionMark(version && bareVersion(version))}<span><a href="/release/${id}" dir="auto">${titleOf({ title, version })}</a>${step ? html` <span class="muted">${inlineCode(migrationSteps(step)[0] ?? '')}</span>` : ''}</span></li>`;
  const list = (rows: typeof breaks) => (rows.length > 0 ? html`<ol class="vlist">${rows.map(row)}</ol>` : '');
  const prereleases =
    between.length > 0
      ? html`<section class="block" id="prereleases"><h2>Pre-releases in between</h2><p class="section-note">${plural(between.length, 'pre-release', 'pre-releases')} of this range ${between.length === 1 ? 'breaks' : 'break'} something, and the final version may not say it again.</p>${list(between)}</section>`
      : '';
  if (omitted === 0) return prereleases;
  return html`${prereleases}<section class="block"><h2>Older versions</h2><p class="section-note">${plural(omitted, 'older version is', 'older versions are')} not shown here${breaks.length > 0 ? `; ${breaks.length === 1 ? 'this one breaks' : `these ${breaks.length} break`}` : ', and none of them is known to break'}.${older}</p>${list(breaks)}</section>`;
}

// Everything that may hide a break, with the reason.
export function notKnown(answer: WhatsChanged, now: number): Html {
  const unknown = answer.entries.filter(({ breaking }) => breaking === 'unknown');
  const unjudged = unknown.filter(hasNotes);
  const silent = silentEntries(answer).filter(({ breaking }) => breaking === 'unknown');
  const missing = missingVersions(answer, now);
  const rows = [
    missing ? html`<li><b>${missing.what}</b><span>${missing.why}${unnoted(answer)}</span></li>` : '',
    silent.length > 0
      ? html`<li><b>${plural(silent.length, 'version')} without notes</b><span>They are known by name, and their source says nothing about them.${names(silent)}</span></li>`
      : '',
    unjudged.length > 0
      ? html`<li><b>${plural(unjudged.length, 'note')} that ${unjudged.length === 1 ? 'does' : 'do'} not say enough</b><span>They count as ${verdictWord('unknown')}, not as harmless.${names(unjudged)}</span></li>`
      : '',
    html`<li><b>Behaviour</b><span>${answer.judgedBy.includes('package') ? 'Types do not show a changed default or a slower call. Only notes can tell, where their author wrote it down.' : 'Only notes were read. A changed default or a slower call is in none of them unless its author wrote it down.'}</span></li>`,
  ];
  return html`<section class="block" id="gaps"><h2>What is not known</h2><ul class="reasons">${rows}</ul></section>`;
}

// Published versions that are known by their names alone.
function unnoted({ history }: WhatsChanged): Html {
  const shown = (history?.withoutNotes ?? []).slice(0, SHOWN_GAPS);
  if (shown.length === 0) return '';
  const rest = (history?.withoutNotesCount ?? 0) - shown.length;
  return html`<ul class="gaps">${shown.map((version) => html`<li>${versionMark(version)}</li>`)}${rest > 0 ? html`<li>${rest} more</li>` : ''}</ul>`;
}

function names(entries: readonly UpgradeEntry[]): Html {
  const shown = entries.slice(0, SHOWN_GAPS);
  const rest = entries.length - shown.length;
  return html`<ul class="gaps">${shown.map((entry) => html`<li><a class="plain" href="${releasePath(entry)}">${versionOf(entry) || entry.title}</a></li>`)}${rest > 0 ? html`<li>${rest} more</li>` : ''}</ul>`;
}

export function allVersions({ entries, total }: WhatsChanged): Html {
  const lines = [...Map.groupBy(entries, (entry) => eraOf(entry) ?? 'Other versions')];
  if (entries.length < 2) return '';
  return html`<section class="block" id="all"><h2>${total > entries.length ? `The newest ${entries.length} of ${plural(total, 'version')}` : `All ${plural(total, 'version')}`}</h2>${lines.map(([name, list]) => era(name, list, lines.length === 1))}</section>`;
}

function era(name: string, entries: readonly UpgradeEntry[], open: boolean): Html {
  const count = (level: UpgradeEntry['breaking']) => entries.filter(({ breaking }) => breaking === level).length;
  const counts = [
    html`<span>${plural(entries.length, 'version')}</span>`,
    count('major') > 0 ? html`<span><b>${count('major')} breaking</b></span>` : '',
    count('minor') > 0 ? html`<span>${count('minor')} ${verdictWord('minor')}</span>` : '',
    count('unknown') > 0 ? html`<span>${count('unknown')} ${verdictWord('unknown')}</span>` : '',
  ];
  const [first, last] = [
    entries.find(({ publishedAt }) => publishedAt),
    entries.findLast((entry) => entry.publishedAt),
  ];
  const dates =
    first?.publishedAt && last?.publishedAt ? `${shortDate(first.publishedAt)} to ${shortDate(last.publishedAt)}` : '';
  return html`<details class="era"${open ? html` open` : ''}><summary>${icon('chevron')}<span class="name">${name}</span><span class="counts">${counts}</span>${dates ? html`<span class="span-of">${dates}</span>` : ''}</summary><ol class="vlist">${runsOf(entries).map((run) => (run.length < MIN_RUN_LENGTH ? run.map(versionRow) : quietRun(run)))}</ol></details>
`;
}

// Consecutive versions without a break are one run; every other version stands alone.
function runsOf(entries: readonly UpgradeEntry[]): UpgradeEntry[][] {
  const runs: UpgradeEntry[][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (entry.breaking === 'none' && last?.[0]?.breaking === 'none') last.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function quietRun(entries: readonly UpgradeEntry[]): Html {
  const [first, last] = [entries[0], entries.at(-1)].map((entry) => bareVersion(entry?.version ?? ''));
  return html`<li class="none quiet-run">${verdictGlyph('none')}<details class="fold"><summary>${entries.length} versions without a break, ${first} to ${last}</summary><ol class="vlist">${entries.map(versionRow)}</ol></details></li>`;
}
