// The page of an upgrade: the sentence, what to do beside it, how it is known, and where it breaks.
import type { WhatsChanged } from '../../../contract/whats-changed.ts';
import { ECOSYSTEM_WORDS } from '../../../domain/ecosystems/index.ts';
import { levelOf } from '../../../domain/upgrade/report/answer.ts';
import { type Html, html } from '../../components/html.ts';
import { icon } from '../../components/icon.ts';
import { command, crumbs } from '../../components/parts.ts';
import { isBeingRead, readingBox, renewed } from '../../components/reading.ts';
import { readingHelp } from '../../components/track.ts';
import { advisoryRemark, differences, proof, rangeWords, remarks, todo } from '../../components/upgrade-answer.ts';
import { searchInstead, upgradeHelp } from '../../components/upgrade-help.ts';
import { answerOrigin, followSource, otherMatches } from '../../components/upgrade-panel.ts';
import { allVersions, leftOut, minorBreaks, notKnown } from '../../components/upgrade-versions.ts';
import { verdictGlyph } from '../../components/verdict.ts';
import { versionLanes } from '../../components/version-lanes.ts';
import { breadcrumbs, type WebPage } from '../../frame/document.ts';
import type { Shell } from '../../frame/shell.ts';
import { packagePath, upgradePath } from '../../links.ts';
import type { UpgradeView } from './load.ts';
import { upgradeDescription, upgradeSentence, upgradeSubject } from './sentence.ts';
import { whereItBreaks } from './where-it-breaks.ts';

interface Tools {
  // The command that looks at a project.
  check: string;
  // Whether this registry lets its readers have packages read.
  isOpen: boolean;
}

export function showUpgrade(view: UpgradeView, shell: Shell, { check, isOpen }: Tools): WebPage {
  const { answer, named, spelling, step } = view;
  const home = packagePath(named.ecosystem, named.name);
  const sentence = upgradeSentence(view);
  const here = `${step.labels.from} to ${step.labels.to}`;
  const canonical = upgradePath(named, step.canonical);
  const trail = [
    { name: 'Packages', path: '/packages' },
    { name: spelling, path: home },
  ];
  const card = `${shell.webUrl}${upgradePath(named, step.written)}/card.png`;
  return {
    name: 'upgrade',
    head: {
      title: sentence,
      description: upgradeDescription(view) || sentence,
      ...(view.isIndexable
        ? { canonical, forms: ['json', 'md'] as const, card: { url: card, alt: sentence } }
        : { robots: 'noindex, follow' as const }),
      jsonLd: [breadcrumbs(shell, [...trail, { name: here, path: canonical }])],
    },
    body: html`${crumbs(trail, here)}
${renewed(answer.reading, answerPart(view, shell, { check, isOpen }))}`,
  };
}

function answerPart(view: UpgradeView, shell: Shell, { check, isOpen }: Tools): Html {
  const { answer, places, step, named } = view;
  const { now } = shell;
  const { reading } = answer;
  const path = upgradePath(named, step.written);
  const isCompared = (answer.evidence?.pairs.length ?? 0) > 0;
  const isTold = answer.status === 'resolved' || isCompared;
  const findings = places.flatMap((place) => place.findings);
  const beside = [
    isTold ? todo(answer, findings) : '',
    reading ? readingBox(reading, path, now) : '',
    isBeingRead(reading?.state) ? '' : readingHelp(answer, shell, isOpen),
    isBeingRead(reading?.state) ? '' : searchInstead(answer),
  ].filter((box) => box !== '');
  const detail =
    answer.entries.length > 0
      ? html`${whereItBreaks(answer, places)}${differences(answer, findings)}${leftOut(answer)}${minorBreaks(answer.entries)}${notKnown(answer, now)}${allVersions(answer)}`
      : whereItBreaks(answer, places);
  return html`<section class="answer up" data-level="${levelOf(answer)}" aria-labelledby="vh"><div class="say"><h1 id="vh">${verdictGlyph(levelOf(answer))}<span>${upgradeSentence(view)}</span></h1>
<p class="lede">${rangeWords(answer)}${remarks(answer)} <a href="#other">Other versions</a></p>${advisoryRemark(answer)}</div>
${beside.length > 0 ? html`<div class="beside"><h2 class="sr">Now</h2>${beside}</div>` : ''}<div class="rest">${isTold ? proof(answer, now, check) : ''}${upgradeHelp(answer)}${versionLanes(answer)}${detail}${otherUpgrades(view)}</div>
<div class="beside more">${inYourProject(answer, check)}${takeItAlong(view, path, shell)}${answerOrigin(answer, now)}${otherMatches(answer)}${followSource(answer)}</div></section>`;
}

function inYourProject({ package: name }: WhatsChanged, check: string): Html {
  return html`<section><h2 class="sub-head">In your project</h2>${command(`${check} ${name}`, 'the command')}<p class="small muted">Says which of your lines are meant. Your code stays with you.</p></section>`;
}

function takeItAlong(view: UpgradeView, path: string, { webUrl }: Shell): Html {
  const { labels } = view.step;
  const data = html`<p class="cluster"><a class="btn small" href="${path}.md">${icon('copy')}Copy for an agent</a><a class="btn small" href="${path}.json">JSON</a></p><p class="small muted">The text is also what a pull request needs.</p>`;
  const picture = view.isIndexable
    ? html`<p class="sp-top"><a href="${path}/badge.svg"><img src="${path}/badge.svg" height="20" alt="${upgradeSubject(view)}"></a> <a class="small" href="${path}/card.png">Card for link previews</a></p>${command(`[![${labels.from} to ${labels.to}](${webUrl}${path}/badge.svg)](${webUrl}${path})`, 'the badge for a README')}`
    : '';
  return html`<section><h2 class="sub-head">Take it with you</h2>${data}${picture}</section>`;
}

// Steps between the lines, and any two versions.
function otherUpgrades({ lines, named, answer, step, spelling }: UpgradeView): Html {
  const chips = lines
    .slice(0, -1)
    .map((line, index) => `${lines[index + 1]}-to-${line}`)
    .filter((other) => other !== step.written)
    .map(
      (other) =>
        html`<a class="btn small" href="${upgradePath(named, other)}"><b class="mono">${other.replace('-to-', ' → ')}</b></a>`,
    );
  const { fromVersion, toVersion } = answer;
  return html`<section class="block" aria-labelledby="other"><h2 id="other">Other upgrades of ${spelling}</h2>${chips.length > 0 ? html`<p class="cluster">${chips}</p>` : ''}
<form class="filter-row lead-form" method="get" action="/whats-changed"><input type="hidden" name="package" value="${named.name}"><input type="hidden" name="ecosystem" value="${named.ecosystem}"><div class="field"><label for="w-f">You have</label><input class="input mono" id="w-f" name="from" value="${fromVersion ?? ''}" size="9" required></div><div class="field"><label for="w-t">Update to</label><input class="input mono" id="w-t" name="to" value="${toVersion ?? 'latest'}" size="9"></div><div class="field go-field"><button class="btn primary" type="submit">Compare</button></div></form><p class="small muted sp-top">On ${ECOSYSTEM_WORDS[named.ecosystem]}. <a href="${packagePath(named.ecosystem, named.name)}">All versions of ${spelling}</a></p></section>`;
}
