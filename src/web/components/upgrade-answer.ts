// The answer to "does this upgrade break me?": a sentence, what to do, how it is known, and all versions on a line.

import type { EvidenceFinding } from '../../contract/evidence.ts';
import type { UpgradeEntry, UpgradeStep, WhatsChanged } from '../../contract/whats-changed.ts';
import { coveredWords } from '../../domain/advisories/advised-package.ts';
import { ECOSYSTEM_WORDS, isEcosystem } from '../../domain/ecosystems/index.ts';
import { isByVersionAlone } from '../../domain/upgrade/judgement.ts';
import { levelOf } from '../../domain/upgrade/report/answer.ts';
import { type Action, actionsOf } from '../../domain/upgrade/steps/actions.ts';
import { VERDICT_WORDS, verdictWord } from '../../domain/upgrade/verdict-words.ts';
import { packagePath, sourcePath } from '../links.ts';
import { type Html, html, join, plural } from './html.ts';
import { icon } from './icon.ts';
import { versionRange } from './marks.ts';
import { packageRow } from './package-evidence.ts';
import { inlineCode } from './prose.ts';
import { isBeingRead } from './reading.ts';
import { countSteps } from './steps.ts';
import { monthOf } from './time.ts';
import { hasNotes, listed, missingVersions, silentEntries } from './upgrade-gaps.ts';
import { searchInstead, upgradeHelp } from './upgrade-help.ts';
import { bareVersion, verdictGlyph, verdictSentence } from './verdict.ts';
import { anchorOf, versionLanes } from './version-lanes.ts';

const SHOWN_STEPS = 5;
const MAX_STEPS = 40;
const SHOWN_FACTS = 8;
const MAX_NAMED = 6;

// `reading` is what is being read, or the button that has the source read, where that may help; `check` is the command that looks at a project.
export function upgradeAnswer(answer: WhatsChanged, now: number, reading: readonly Html[], check: string): Html {
  const level = levelOf(answer);
  const resolved = answer.status === 'resolved';
  // A package that nobody has notes of can still be seen itself.
  const isCompared = (answer.evidence?.pairs.length ?? 0) > 0;
  return html`<section class="answer" data-level="${level}" aria-labelledby="vh"><div class="say"><h2 id="vh">${verdictGlyph(level)}<span>${verdictSentence(answer)}</span></h2>
<p class="lede">${subject(answer)}</p>${advisoryRemark(answer)}</div>
${boxes([(resolved && answer.total > 0) || isCompared ? todo(answer) : '', ...reading, isBeingRead(answer.reading?.state) ? '' : searchInstead(answer)])}${resolved || isCompared ? proof(answer, now, check) : ''}${upgradeHelp(answer)}${versionLanes(answer)}</section>`;
}

// Imported advisories on the version that the reader has; without imported data nothing is said.
export function advisoryRemark({ advisories, fromVersion, from }: WhatsChanged): Html {
  const words = advisories ? coveredWords(advisories) : null;
  return words === null ? html`` : html`<p class="lede"><b class="mono">${fromVersion ?? from}</b>: ${words}</p>`;
}

// Several boxes share the place beside the answer.
function boxes(all: readonly Html[]): Html {
  const shown = all.filter((box) => box !== '');
  return shown.length > 1 ? html`<div class="todos">${shown}</div>` : html`${shown}`;
}

function subject(answer: WhatsChanged): Html {
  const { source, ecosystem } = answer;
  if (answer.status !== 'resolved') return html`${unanswered(answer)}`;
  const page = isEcosystem(ecosystem) ? packagePath(ecosystem, answer.package) : null;
  const name = source
    ? html`<a class="plain" href="${page ?? sourcePath(source.orgSlug, source.sourceSlug)}"><b class="mono">${answer.package}</b></a>`
    : html`<b class="mono">${answer.package}</b>`;
  const where = ecosystem ? ` on ${ECOSYSTEM_WORDS[ecosystem]}` : '';
  return html`${name}${where}, ${rangeOfVersions(answer)}${remarks(answer)}`;
}

// The two versions and what lies between them, on a page that names the package already.
export function rangeWords(answer: WhatsChanged): Html {
  if (answer.status !== 'resolved' && !answer.evidence?.pairs.length) return html`${unanswered(answer)}`;
  return rangeOfVersions(answer);
}

function rangeOfVersions({ entries, omittedPrereleases, ...answer }: WhatsChanged): Html {
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
  const omitted =
    omittedPrereleases > 0 ? ` ${plural(omittedPrereleases, 'pre-release is', 'pre-releases are')} not listed.` : '';
  return html`${range}${dates}.${omitted}`;
}

function unanswered(answer: WhatsChanged): string {
  const { package: name, from, to, ecosystem, reason, reasonDetail, history, reading } = answer;
  if (reason === 'ambiguous') return 'Several sources have this name. Nothing is compared until you choose one.';
  if (reasonDetail === 'package_required')
    return 'It releases several packages. Nothing is compared until you choose one.';
  if (reasonDetail === 'ecosystem_required') return 'The name fits a package and a repository. Choose the ecosystem.';
  if (reason === 'no_releases' && !isBeingRead(reading?.state))
    return 'Its source is known, but nothing has been read from it yet.';
  const where = ecosystem ? ` on ${ECOSYSTEM_WORDS[ecosystem]}` : '';
  if (isBeingRead(reading?.state)) return `What is known of ${name}${where} from ${from} to ${to} is being gathered.`;
  const advice = isEcosystem(ecosystem)
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
export function remarks(answer: WhatsChanged): string {
  const level = levelOf(answer);
  const { major, minor } = answer.summary.breaking;
  if (level === 'none' && answer.total > 0) return ' That is not a promise: behaviour can change without a word.';
  if (level === 'unknown' && answer.total > 0 && major + minor === 0) return ' What is known shows no break.';
  return '';
}

export function todo(answer: WhatsChanged, findings: readonly EvidenceFinding[] = []): Html {
  const { major, minor } = answer.summary.breaking;
  const { steps: merged, moreSteps = 0 } = answer;
  const { actions, facts } = actionsOf(merged, findings);
  if (major + minor + merged.length === 0) return '';
  if (actions.length === 0) {
    const seen = major + minor > 0 || facts.length > 0;
    const words = facts.length > 0 ? 'Nobody says what to do. What is different stands below.' : null;
    return seen
      ? html`<div class="todo"><h3>What to do</h3><p class="small">${words ?? html`No steps were found in the notes. ${major + minor === 1 ? 'Read the version that breaks' : 'Read the versions that break'} below before you update.`}</p></div>`
      : '';
  }
  const [shown, more] = [actions.slice(0, SHOWN_STEPS), actions.slice(SHOWN_STEPS, MAX_STEPS)];
  const all = actions.length + moreSteps;
  const left = all - shown.length - more.length;
  const anchors = new Map(answer.entries.map((entry) => [entry.version, `#${anchorOf(entry)}`]));
  const step = (one: Action<UpgradeStep>) => stepRow(one, anchors);
  const isByPackage = actions.some(({ steps }) => steps.some(({ from }) => from === 'package'));
  const silent = answer.entries.filter(
    (entry) => (entry.breaking === 'major' || entry.breaking === 'minor') && countSteps(entry, merged) === 0,
  );
  return html`<div class="todo"><h3>What to do: ${plural(all, 'step')}</h3><ol>${shown.map(step)}</ol>${
    more.length > 0
      ? html`<details class="fold"><summary>${icon('chevron')}${plural(all - shown.length, 'more step')}</summary><ol start="${SHOWN_STEPS + 1}">${more.map(step)}</ol>${left > 0 ? html`<p class="who">${plural(left, 'more step is', 'more steps are')} in the versions below.</p>` : ''}</details>`
      : ''
  }<p class="who foot-line">${isByPackage ? 'Over the whole range, each step once. Steps marked “Package” come from comparing the published files; their wording is ours.' : 'From the notes of the whole range, each step once.'}${silent.length > 0 ? html` ${versionList(silent)} ${silent.length === 1 ? 'breaks' : 'break'} too, and no step was found there.` : ''}</p></div>`;
}

function stepRow(
  { text, before, after, steps }: Action<UpgradeStep>,
  anchors: ReadonlyMap<string | null, string>,
): Html {
  const versions = [...new Set(steps.flatMap((step) => step.versions))];
  const tellers = versions.slice(0, MAX_NAMED).map((version) => {
    const anchor = anchors.get(version);
    const name = bareVersion(version);
    return anchor ? html`<a class="plain mono" href="${anchor}">${name}</a>` : html`<span class="mono">${name}</span>`;
  });
  const codes =
    before !== null && after !== null
      ? html`<dl class="ba"><dt>Before</dt><dd>${before}</dd><dt>After</dt><dd>${after}</dd></dl>`
      : '';
  const witnesses = [...new Set(steps.map(({ from }) => from))].map(witness);
  return html`<li><span>${inlineCode(text)}${codes}<span class="src"><span>${join(tellers, html`, `)}</span> ${witnesses}</span></span></li>`;
}

// What notes and packages say and nobody can do anything about by one order.
export function differences(answer: WhatsChanged, findings: readonly EvidenceFinding[] = []): Html {
  const { facts } = actionsOf(answer.steps, findings);
  if (facts.length === 0) return '';
  const [shown, more] = [facts.slice(0, SHOWN_FACTS), facts.slice(SHOWN_FACTS)];
  const row = ({ text, versions, from }: UpgradeStep) =>
    html`<li><span dir="auto">${inlineCode(text)}</span> <span class="src muted small"><span class="mono">${listed(versions.map(bareVersion), MAX_NAMED)}</span> ${witness(from)}</span></li>`;
  return html`<section class="block" aria-labelledby="different"><h2 id="different">What is different</h2><ul class="facts-list">${shown.map(row)}</ul>${more.length > 0 ? html`<details class="fold"><summary>${icon('chevron')}${plural(more.length, 'more')}</summary><ul class="facts-list">${more.map(row)}</ul></details>` : ''}</section>`;
}

// Who tells of a step.
function witness(from: UpgradeStep['from']): Html {
  return from === 'notes'
    ? html`<span class="by">${icon('page')}Notes</span>`
    : html`<span class="by">${icon('package')}Package</span>`;
}

const versionOf = (entry: UpgradeEntry) => (entry.version ? bareVersion(entry.version) : entry.title);

function versionList(entries: readonly UpgradeEntry[]): string {
  return listed(entries.map(versionOf), MAX_NAMED);
}

// One line for each witness; a line without content is left out.
export function proof(answer: WhatsChanged, now: number, check: string): Html {
  const rows = [notesRow(answer), packageRow(answer), missingRow(answer, now), codeRow(answer, check)].filter(
    (row) => row !== '',
  );
  return rows.length > 0 ? html`<dl class="proof">${rows}</dl>` : '';
}

function notesRow(answer: WhatsChanged): Html {
  const { entries, summary, total, history } = answer;
  const { breaking } = summary;
  if (total === 0) return '';
  const major = entries.filter((entry) => entry.breaking === 'major' && entry.judgedBy === undefined);
  const numbered = entries.filter((entry) => entry.judgedBy === 'version');
  const told = isByVersionAlone(answer) ? 0 : Math.max(0, breaking.major - numbered.length);
  const byNumber =
    numbered.length > 0
      ? ` ${versionList(numbered)} ${numbered.length === 1 ? 'is a new major version and says' : 'are new major versions and say'} nothing of what breaks.`
      : '';
  const named = major.length > 0 ? ` (${versionList(major)})` : '';
  const minor = breaking.minor > 0 ? `${breaking.minor} ${verdictWord('minor')}` : '';
  const quiet = VERDICT_WORDS[breaking.none > 0 ? 'none' : 'unknown'];
  const counted =
    told > 0 ? html`<b>${told} breaking</b>${named}${minor ? `, ${minor}` : ''}` : html`<b>${minor || quiet}</b>`;
  const silent = entries.filter((entry) => !hasNotes(entry)).length;
  const all = history?.published ? history.published : total;
  const unread = history?.published ? history.withoutNotesCount : silent;
  const read =
    unread === 0
      ? `Read for ${total === 1 ? 'it' : `all ${total} versions`}`
      : `Read for ${all - unread} of ${plural(all, 'version')}`;
  const unjudged = breaking.unknown - silent;
  return html`<div><dt>${icon('page')}Notes</dt><dd>${counted}. <span class="why">${read}${unjudged > 0 ? `; ${unjudged} of them ${unjudged === 1 ? 'does' : 'do'} not say enough to judge` : ''}.${byNumber}</span></dd></div>`;
}

// What only the reader's own project can tell.
function codeRow({ ecosystem, package: name, summary, evidence }: WhatsChanged, check: string): Html {
  const { proven = 0, likely = 0 } = evidence?.counts ?? {};
  // Where nothing is named that breaks, there is nothing to look for.
  const isNamed = summary.breaking.major + summary.breaking.minor + proven + likely > 0;
  if (!isEcosystem(ecosystem) || !isNamed) return '';
  return html`<div><dt>${icon('code')}Your code</dt><dd><span class="why">Not looked at here.</span> <code>${check} ${name}</code> <span class="why">says which of these names you use.</span></dd></div>`;
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
