// The health of a source in words that say since when: "Failing for 6 days", not "Error".
import type { SourceItem } from '../../contract/source.ts';
import { type Html, html } from './html.ts';
import { lasting, relative } from './time.ts';

const STALE_AFTER = 14 * 86_400_000;
// A check that is due waits for its turn; one that waits longer will not come by itself.
const OVERDUE_AFTER = 6 * 3_600_000;

type Health = 'ok' | 'stale' | 'failing' | 'paused' | 'new';

type Checked = Pick<SourceItem, 'fetchState' | 'lastPolledAt' | 'lastFetchedAt'>;

export function lastCheck({ lastPolledAt, lastFetchedAt }: Checked): string | null {
  return lastPolledAt && (!lastFetchedAt || lastPolledAt > lastFetchedAt) ? lastPolledAt : lastFetchedAt;
}

export function healthOf(source: Checked, now: number): { health: Health; words: string } {
  const { state, since, outcome, nextCheckAt } = source.fetchState;
  const checked = lastCheck(source);
  if (state === 'failing')
    return { health: 'failing', words: since ? `Failing for ${lasting(since, now)}` : 'Failing' };
  if (state === 'paused')
    return {
      health: 'paused',
      words:
        outcome === 'held'
          ? 'Paused: it brought unusually many releases'
          : checked
            ? `Paused, checked ${relative(checked, now)}`
            : 'Not checked for new releases',
    };
  if (state === 'never_fetched' || !checked) return { health: 'new', words: 'Never fetched' };
  if (now - Date.parse(checked) > STALE_AFTER)
    return { health: 'stale', words: `Not checked for ${lasting(checked, now)}` };
  if (nextCheckAt && now - Date.parse(nextCheckAt) > OVERDUE_AFTER)
    return { health: 'stale', words: `Checked ${relative(checked, now)}, the next check is overdue` };
  return { health: 'ok', words: `Up to date, checked ${relative(checked, now)}` };
}

export function healthMark(source: Checked, now: number): Html {
  const { health, words } = healthOf(source, now);
  return html`<span class="health ${health}">${words}</span>`;
}
