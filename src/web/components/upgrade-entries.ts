// Releases between two versions, oldest first: breaking ones with their migration steps, the others collapsed into one
// line.
import type { UpgradeEntry } from '../../contract/whats-changed.ts';
import { outsideUrl, releasePath } from '../links.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { inlineCode } from './prose.ts';
import { steps } from './steps.ts';
import { shortDate, timeMark } from './time.ts';
import { bareVersion, verdictGlyph } from './verdict.ts';
import { versionMark } from './version.ts';

export function upgradeEntries(entries: readonly UpgradeEntry[]): Html {
  return html`<ol class="timeline">${runsOf(entries).map((run) => (run.quiet ? quietRun(run.entries) : html`${run.entries.map(entryItem)}`))}</ol>`;
}

interface EntryRun {
  entries: UpgradeEntry[];
  quiet: boolean;
}

// Three or more consecutive releases without a break are collapsed into one line.
function runsOf(entries: readonly UpgradeEntry[]): EntryRun[] {
  const runs: EntryRun[] = [];
  for (const entry of entries) {
    const quiet = entry.breaking === 'none';
    const last = runs.at(-1);
    if (last?.quiet && quiet) last.entries.push(entry);
    else runs.push({ entries: [entry], quiet });
  }
  return runs.flatMap((run) =>
    run.quiet && run.entries.length < 3 ? run.entries.map((entry) => ({ entries: [entry], quiet: false })) : [run],
  );
}

function quietRun(entries: readonly UpgradeEntry[]): Html {
  const [first, last] = [entries[0], entries.at(-1)].map((entry) => bareVersion(entry?.version ?? ''));
  return html`<li class="none">${verdictGlyph('none')}<details class="fold"><summary>${icon('chevron')}${entries.length} releases without a break, ${first} to ${last}</summary><ol class="cites">${entries.map((entry) => html`<li><a class="plain" href="${releasePath(entry)}">${entry.title}</a>${versionMark(entry.version && bareVersion(entry.version))}</li>`)}</ol></details></li>`;
}

function entryItem(entry: UpgradeEntry): Html {
  const list = steps(entry);
  const original = outsideUrl(entry.url);
  const breaks = entry.breaking === 'major' || entry.breaking === 'minor';
  const detail = entry.summary || entry.excerpt || '';
  return html`<li class="${entry.breaking}">${verdictGlyph(entry.breaking)}<div class="top">${versionMark(entry.version && bareVersion(entry.version))}<a href="${releasePath(entry)}">${entry.title}</a>${entry.publishedAt ? timeMark(entry.publishedAt, shortDate(entry.publishedAt)) : ''}</div>${breaks && detail ? html`<p>${inlineCode(detail)}</p>` : ''}${
    list.length > 0
      ? html`<div class="must${entry.breaking === 'minor' ? ' minor' : ''}"><h3>Before you upgrade</h3><ol>${list.map((step) => html`<li><span>${inlineCode(step)}</span></li>`)}</ol></div>`
      : breaks
        ? html`<p>No migration notes in the release.${original ? html` <a href="${original}" rel="nofollow noopener noreferrer">Read the original ${icon('external')}</a>` : ''}</p>`
        : ''
  }</li>`;
}
