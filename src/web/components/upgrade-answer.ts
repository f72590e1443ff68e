// The answer to "does this upgrade break me?": a sentence, what to do, how it is known, and all versions on a line.

import type { Breaking } from '../../contract/enums.ts';
import type { UpgradeEntry, UpgradeStep, WhatsChanged } from '../../contract/whats-changed.ts';
import { levelOf } from '../../domain/upgrade/report/answer.ts';
import { packagePath, sourcePath } from '../links.ts';
import { VERDICT_WORDS } from './badge.ts';
import { type Html, html, join, plural, raw } from './html.ts';
import { icon } from './icon.ts';
import { packageRow } from './package-evidence.ts';
import { inlineCode } from './prose.ts';
import { steps } from './steps.ts';
import { monthOf } from './time.ts';
import { hasNotes, listed, missingVersions, silentEntries } from './upgrade-gaps.ts';
import { searchInstead, upgradeHelp } from './upgrade-help.ts';
import { bareVersion, verdictGlyph, verdictSentence } from './verdict.ts';
import { versionMark, versionRange } from './version.ts';

const SHOWN_STEPS = 5;
const MOST_STEPS = 40;
const MOST_NAMED = 6;

export const ECOSYSTEM_WORDS = { npm: 'npm', pypi: 'PyPI', github: 'GitHub' } as const;

// `reading` is the button that has the source read, where that may help.
export function upgradeAnswer(answer: WhatsChanged, now: number, reading: Html): Html {
  const level = levelOf(answer);
  const resolved = answer.status === 'resolved';
  return html`<section class="answer" data-level="${level}" aria-labelledby="vh"><div class="say"><h2 id="vh">${verdictGlyph(level)}<span>${verdictSentence(answer)}</span></h2>
<p class="lede">${subject(answer)}</p></div>
${boxes([resolved && answer.total > 0 ? todo(answer) : '', reading, searchInstead(answer)])}${resolved ? proof(answer, now) : ''}${upgradeHelp(answer)}${lane(answer.entries)}</section>`;
}

// Several boxes share the place beside the answer.
function boxes(all: readonly Html[]): Html {
  const shown = all.filter((box) => box !== '');
  return shown.length > 1 ? html`<div class="todos">${shown}</div>` : html`${shown}`;
}

function subject(answer: WhatsChanged): Html {
  const { source, ecosystem, entries, omittedPrereleases } = answer;
  if (answer.status !== 'resolved') return html`${unanswered(answer)}`;
  const page = ecosystem === 'npm' || ecosystem === 'pypi' ? packagePath(ecosystem, answer.package) : null;
  const name = source
    ? html`<a class="plain" href="${page ?? sourcePath(source.orgSlug, source.sourceSlug)}"><b class="mono">${answer.package}</b></a>`
    : html`<b class="mono">${answer.package}</b>`;
  const where = ecosystem ? ` on ${ECOSYSTEM_WORDS[ecosystem]}` : '';
  const range = versionRange(
    bareVersion(answer.fromVersion ?? answer.from),
    bareVersion(answer.toVersion ?? answer.to),
  );
  const [first, last] = [
    entries.find(({ publishedAt }) => publishedAt),
    entries.findLast((entry) => entry.publishedAt),
  ];
  const dates =
    first?.publishedAt && last?.publishedAt && first !== last
      ? `, ${monthOf(first.publishedAt)} to ${monthOf(last.publishedAt)}`
      : '';
  return html`${name}${where}, ${range}${dates}.${remarks(answer)}${
    omittedPrereleases > 0 ? ` ${plural(omittedPrereleases, 'pre-release is', 'pre-releases are')} left out.` : ''
  }`;
}

function unanswered({ package: name, from, to, ecosystem, reason, reasonDetail, history }: WhatsChanged): string {
  if (reason === 'ambiguous') return 'Several sources have this name. Nothing is compared until you choose one.';
  if (reasonDetail === 'package_required')
    return 'It releases several packages. Nothing is compared until you choose one.';
  if (reasonDetail === 'ecosystem_required') return 'The name fits a package and a repository. Choose the ecosystem.';
  if (reason === 'no_releases') return 'Its source is known, but nothing was read of it yet.';
  const where = ecosystem ? ` on ${ECOSYSTEM_WORDS[ecosystem]}` : '';
  const advice =
    ecosystem === 'npm' || ecosystem === 'pypi'
      ? ' If you know its repository, ask for that: owner/name, with the ecosystem GitHub.'
      : ecosystem === null
        ? ' Check the spelling, or choose the ecosystem.'
        : '';
  const listed = history?.published
    ? ` ${plural(history.published, 'version is', 'versions are')} published in between.`
    : '';
  return `Nothing was compared for ${name}${where} from ${from} to ${to}.${listed}${advice}`;
}

// What keeps a reader from taking an answer for more than it is.
function remarks(answer: WhatsChanged): string {
  const level = levelOf(answer);
  const { major, minor } = answer.summary.breaking;
  if (level === 'none' && answer.total > 0) return ' That is not a promise: behaviour can change without a word.';
  if (level === 'unknown' && answer.total > 0 && major + minor === 0) return ' What is known shows no break.';
  return '';
}

function todo(answer: WhatsChanged): Html {
  const { major, minor } = answer.summary.breaking;
  const { steps: merged, moreSteps = 0 } = answer;
  if (major + minor + merged.length === 0) return '';
  if (merged.length === 0) {
    return html`<div class="todo"><h3>What to do</h3><p class="small">No note says what to change. ${major + minor === 1 ? 'Read the version that breaks' : 'Read the versions that break'} below before you update.</p></div>`;
  }
  const [shown, more] = [merged.slice(0, SHOWN_STEPS), merged.slice(SHOWN_STEPS, MOST_STEPS)];
  const all = merged.length + moreSteps;
  const left = all - shown.length - more.length;
  const anchors = new Map(answer.entries.map((entry) => [entry.version, `#${anchorOf(entry)}`]));
  const step = (one: UpgradeStep) => stepRow(one, anchors);
  const isByPackage = merged.some(({ from }) => from === 'package');
  const silent = answer.entries.filter(
    (entry) => (entry.breaking === 'major' || entry.breaking === 'minor') && steps(entry).length === 0,
  );
  return html`<div class="todo"><h3>What to do: ${plural(all, 'step')}</h3><ol>${shown.map(step)}</ol>${
    more.length > 0
      ? html`<details class="fold"><summary>${icon('chevron')}${plural(all - shown.length, 'more step')}</summary><ol start="${SHOWN_STEPS + 1}">${more.map(step)}</ol>${left > 0 ? html`<p class="who">${plural(left, 'more step is', 'more steps are')} in the versions below.</p>` : ''}</details>`
      : ''
  }<p class="who foot-line">${isByPackage ? 'Over the whole range, each step once. Wording from the notes; steps marked “Package” come from comparing the published files.' : 'From the notes of the whole range, each step once.'}${silent.length > 0 ? html` ${versionList(silent)} ${silent.length === 1 ? 'breaks' : 'break'} without saying what to do.` : ''}</p></div>`;
}

function stepRow({ text, versions, from }: UpgradeStep, anchors: ReadonlyMap<string | null, string>): Html {
  const tellers = versions.slice(0, MOST_NAMED).map((version) => {
    const anchor = anchors.get(version);
    const name = bareVersion(version);
    return anchor ? html`<a class="plain mono" href="${anchor}">${name}</a>` : html`<span class="mono">${name}</span>`;
  });
  return html`<li><span>${inlineCode(text)}<span class="src"><span>${join(tellers, html`, `)}</span> ${witness(from)}</span></span></li>`;
}

// Who tells of a step.
function witness(from: UpgradeStep['from']): Html {
  return from === 'notes'
    ? html`<span class="by">${icon('page')}Notes</span>`
    : html`<span class="by">${icon('package')}Package</span>`;
}

const versionOf = (entry: UpgradeEntry) => (entry.version ? bareVersion(entry.version) : entry.title);

function versionList(entries: readonly UpgradeEntry[]): string {
  return listed(entries.map(versionOf), MOST_NAMED);
}

// One line for each witness; a line without content is left out.
function proof(answer: WhatsChanged, now: number): Html {
  const rows = [notesRow(answer), packageRow(answer), missingRow(answer, now)].filter((row) => row !== '');
  return rows.length > 0 ? html`<dl class="proof">${rows}</dl>` : '';
}

function notesRow(answer: WhatsChanged): Html {
  const { entries, summary, total, history } = answer;
  const { breaking } = summary;
  if (total === 0) return '';
  const major = entries.filter((entry) => entry.breaking === 'major');
  const named = major.length > 0 ? ` (${versionList(major)})` : '';
  const minor = breaking.minor > 0 ? `${breaking.minor} minor` : '';
  const counted =
    breaking.major > 0
      ? html`<b>${breaking.major} breaking</b>${named}${minor ? `, ${minor}` : ''}`
      : html`<b>${minor || 'No break'}</b>`;
  const silent = entries.filter((entry) => !hasNotes(entry)).length;
  const all = history?.published ? history.published : total;
  const unread = history?.published ? history.withoutNotesCount : silent;
  const read =
    unread === 0
      ? `Read for ${total === 1 ? 'it' : `all ${total} versions`}`
      : `Read for ${all - unread} of ${plural(all, 'version')}`;
  const unjudged = breaking.unknown - silent;
  return html`<div><dt>${icon('page')}Notes</dt><dd>${counted}. <span class="why">${read}${unjudged > 0 ? `; ${unjudged} of them ${unjudged === 1 ? 'does' : 'do'} not say enough to judge` : ''}.</span></dd></div>`;
}

function missingRow(answer: WhatsChanged, now: number): Html {
  const missing = missingVersions(answer, now);
  const silent = silentEntries(answer).length;
  if (!missing && silent === 0) return '';
  const range = missing ? html`<b>${missing.what}</b>. <span class="why">${missing.why}</span> ` : '';
  const noNotes = silent > 0 ? html`<b>${plural(silent, 'version has', 'versions have')} no notes</b>. ` : '';
  const link = silent + answer.summary.unnoted > 0 ? html`<a href="#gaps">Which ones</a>` : '';
  return html`<div><dt>${icon('info')}Not known</dt><dd>${range}${noNotes}${link}</dd></div>`;
}

// All versions of a range on a line, with links to those that break. The marks carry no text, which would overprint; the
// links do.

const MOST_MARKS = 400;
const MOST_JUMPS = 12;
// Two names of major versions closer than this, in percent, would overprint.
const ERA_GAP = 5;

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const at = (x: number) => `${x.toFixed(2)}%`;

// The id of the part of the page about a version.
export function anchorOf({ id, version, breaking }: UpgradeEntry): string {
  if (breaking !== 'major') return breaking === 'minor' ? 'minor' : 'all';
  return `b-${version ? bareVersion(version).replaceAll(/[^\w.-]+/g, '-') : id}`;
}

function lane(entries: readonly UpgradeEntry[]): Html {
  if (entries.length < 2) return '';
  const step = 98.4 / (entries.length - 1);
  const marks = entries.map((entry, index) => mark(entry, 0.8 + index * step, entries.length > MOST_MARKS));
  const count = (level: Breaking) => entries.filter(({ breaking }) => breaking === level).length;
  const words = `${plural(entries.length, 'version')} in order: ${count('major')} breaking, ${count('minor')} minor, ${count('unknown')} not judged`;
  return html`<div class="over"><div class="lanes"><span class="lane-name">${icon('page')}Notes</span><svg class="lane" role="img" aria-label="${words}">${raw(`<line class="rule" x1="0" x2="100%" y1="14" y2="14"/>${marks.join('')}`)}</svg>${eras(entries, step)}</div>
${jumps(entries)}</div>`;
}

function mark(entry: UpgradeEntry, x: number, breaksOnly: boolean): string {
  const name = escapeText(entry.version ? bareVersion(entry.version) : entry.title);
  const title = `<title>${name}: ${hasNotes(entry) ? VERDICT_WORDS[entry.breaking].toLowerCase() : 'no notes'}</title>`;
  if (entry.breaking === 'major')
    return `<svg x="${at(x)}" y="14">${title}<path class="m" d="M0-9 9 0 0 9-9 0z"/></svg>`;
  if (entry.breaking === 'minor') {
    return `<svg x="${at(x)}" y="14">${title}<path class="h" d="M0-6 6 0 0 6-6 0z"/><path class="hf" d="M0-6 6 0 0 6z"/></svg>`;
  }
  if (breaksOnly) return '';
  if (!hasNotes(entry)) return `<svg x="${at(x)}" y="14">${title}<circle class="hole" r="3"/></svg>`;
  const [style, y1, y2] = entry.breaking === 'none' ? ['tick', 9, 19] : ['unk', 11, 17];
  return `<line class="${style}" x1="${at(x)}" x2="${at(x)}" y1="${y1}" y2="${y2}">${title}</line>`;
}

// The major line of a version: "4.x".
export function eraOf({ version }: UpgradeEntry): string | null {
  const major = /^v?(\d+)(?:\.|$)/.exec(version ? bareVersion(version) : '')?.[1];
  return major === undefined ? null : `${major}.x`;
}

function eras(entries: readonly UpgradeEntry[], step: number): Html {
  let last = -Infinity;
  let name: string | null = null;
  const labels = entries.map((entry, index) => {
    const era = eraOf(entry);
    if (era === null || era === name) return '';
    name = era;
    const x = 0.8 + index * step;
    const line = `<line x1="${at(x)}" x2="${at(x)}" y1="0" y2="6"/>`;
    if (x - last < ERA_GAP || x > 96) return line;
    last = x;
    return `${line}<text x="${at(x)}" dx="4" y="15">${era}</text>`;
  });
  return html`<span class="lane-name empty-cell"></span><svg class="lane eras" aria-hidden="true">${raw(labels.join(''))}</svg>`;
}

function jumps(entries: readonly UpgradeEntry[]): Html {
  const major = entries.filter(({ breaking }) => breaking === 'major');
  const minor = entries.filter(({ breaking }) => breaking === 'minor').length;
  const unknown = entries.filter(({ breaking }) => breaking === 'unknown').length;
  const links = [
    ...major
      .slice(0, MOST_JUMPS)
      .map(
        (entry) =>
          html`<a class="major" href="#${anchorOf(entry)}">${verdictGlyph('major')}${entry.version ? versionMark(bareVersion(entry.version)) : entry.title}</a>`,
      ),
    major.length > MOST_JUMPS ? html`<a class="major" href="#breaking">${major.length - MOST_JUMPS} more</a>` : '',
    minor > 0 ? html`<a class="minor" href="#minor">${verdictGlyph('minor')}${minor} minor</a>` : '',
    unknown > 0 ? html`<a class="unknown" href="#gaps">${verdictGlyph('unknown')}${unknown} not judged</a>` : '',
  ].filter((link) => link !== '');
  return links.length > 0 ? html`<nav class="jumps" aria-label="Jump to a version">${links}</nav>` : '';
}
