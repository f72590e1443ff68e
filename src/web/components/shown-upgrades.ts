// Upgrades that were judged before: one as a whole answer, many as a line each.
import { shortRange, upgradeSentence } from '../../domain/upgrade/report/upgrade-line.ts';
import { verdictWord } from '../../domain/upgrade/verdict-words.ts';
import type { ShownUpgrade } from '../../packages/shown-upgrades/list.ts';
import { whatsChangedPath } from '../links.ts';
import { formatCount, type Html, html, plural } from './html.ts';
import { icon } from './icon.ts';
import { verdictGlyph } from './verdict.ts';

function pathOfUpgrade({ ecosystem, name, from, to }: ShownUpgrade): string {
  return whatsChangedPath({ package: name, from, to, ecosystem });
}

// One real answer, with what it rests on.
export function sampleAnswer(upgrade: ShownUpgrade): Html {
  const { level, steps } = upgrade;
  return html`<section class="sample" data-level="${level}" aria-labelledby="answer-h"><h2 id="answer-h">An answer, as of now</h2><p class="saying">${verdictGlyph(level)}<a class="plain" href="${pathOfUpgrade(upgrade)}">${upgradeSentence(upgrade.name, upgrade, upgrade)}</a></p><dl class="proof"><div><dt>${icon('page')}Notes</dt><dd>${notesWords(upgrade)}</dd></div><div><dt>${icon('package')}Package</dt><dd>${packageWords(upgrade)}</dd></div><div><dt>${icon('check')}What to do</dt><dd>${steps > 0 ? html`<b>${plural(steps, 'step')}</b>` : 'No steps are known'}</dd></div></dl></section>`;
}

function notesWords({ versions, breaking, unnoted }: ShownUpgrade): Html {
  if (versions > 0 && unnoted >= versions) return html`Not read`;
  const missing = unnoted > 0 ? `, ${formatCount(unnoted)} without notes` : ', all read';
  return html`<b>${formatCount(breaking)} breaking</b> <span class="why">of ${plural(versions, 'version')}${missing}</span>`;
}

function packageWords({ proven, likely }: ShownUpgrade): Html {
  if (proven + likely === 0) return html`Nothing proven`;
  const more = likely > 0 ? `, ${formatCount(likely)} likely` : '';
  return html`<b>${formatCount(proven)} proven</b>${more}`;
}

export function upgradeChips(upgrades: readonly ShownUpgrade[]): Html {
  const one = (upgrade: ShownUpgrade) => {
    const { name, from, to, level, steps } = upgrade;
    const todo = (level === 'major' || level === 'minor') && steps > 0 ? `, ${plural(steps, 'step')}` : '';
    return html`<a class="${level}" href="${pathOfUpgrade(upgrade)}">${verdictGlyph(level)}<b>${name} ${shortRange(from, to).join(' → ')}</b><span class="muted">${verdictWord(level)}${todo}</span></a>`;
  };
  return html`<p class="asks">${upgrades.map(one)}</p>`;
}

// How an answer is known, once for people who come for the first time.
export function howKnown(check: string): Html {
  return html`<dl class="how"><div><dt>${icon('page')}Notes</dt><dd>Release notes and changelogs are read version by version. What they do not say is not made up.</dd></div><div><dt>${icon('package')}Package</dt><dd>The two published packages are compared: names, types, Node and module form. Proven, not promised.</dd></div><div><dt>${icon('code')}Your code</dt><dd><code>${check}</code> looks in your project and names the lines. Your code stays with you.</dd></div></dl>`;
}
