// The button that has a repository read, and what is said after it was pressed. The form of a reader who is not signed in
// carries no CSRF token, so that the page can be cached for everybody; it is accepted from pages of this site only.
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { mayReadAgain } from '../../domain/fetching/on-demand.ts';
import { lookupMethod } from '../../domain/upgrade/asked.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { Shell } from '../frame/shell.ts';
import { sourcePath } from '../links.ts';
import { type Html, html } from './html.ts';
import { noticeBox } from './notice.ts';

export const TRACK_PATH = '/whats-changed/track';

export const TRACK_OUTCOMES = [
  'read',
  'known',
  'again',
  'later',
  'silent',
  'empty',
  'missing',
  'full',
  'wait',
  'closed',
  'unclear',
] as const;
export type TrackOutcome = (typeof TRACK_OUTCOMES)[number];

// What the reader can have read about the question; null when that would not help.
interface Readable {
  coordinate: string;
  isStored: boolean;
}

function readableFor(answer: WhatsChanged, now: number): Readable | null {
  const { status, reason, source, history, package: name, ecosystem } = answer;
  const stored = source?.type === 'github' ? githubCoordinate(source.url) : null;
  if (status === 'resolved') {
    // Reading again brings newer versions, not older ones.
    const mayHelp = history?.complete === false && reason !== 'history_begins';
    const isDue = mayReadAgain(source?.lastFetchedAt ?? null, new Date(now));
    return mayHelp && isDue && stored !== null ? { coordinate: stored, isStored: true } : null;
  }
  if (reason === 'no_releases') return stored === null ? null : { coordinate: stored, isStored: true };
  if (reason !== 'not_tracked') return null;
  const method = lookupMethod({ package: name, ...(ecosystem && { ecosystem }) });
  const coordinate = 'coordinate' in method ? method.coordinate : null;
  return coordinate === null ? null : { coordinate, isStored: false };
}

// `isOpen`: whether this registry lets its readers look repositories up.
export function readingHelp(answer: WhatsChanged, shell: Shell, isOpen: boolean): Html {
  const readable = readableFor(answer, shell.now);
  if (readable === null) return '';
  const { coordinate, isStored } = readable;
  if (!isOpen) return closedHelp(answer, shell, isStored);
  const { package: name, ecosystem, from, to } = answer;
  const values = isStored
    ? { package: name, ecosystem: ecosystem ?? '', from, to }
    : { package: coordinate, ecosystem: 'github', from, to };
  const button = html`<button class="btn primary" type="submit">${isStored ? 'Read the source now' : `Track ${coordinate}`}</button>`;
  const words = isStored
    ? `Its repository ${coordinate} was not read in the last day. Newer versions may be there.`
    : 'The repository is read on GitHub once, now. An operator can have it read regularly.';
  return todo(
    isStored ? 'Read it again' : 'Read its notes',
    words,
    trackForm(shell, { coordinate, ...values }, button, 'sp-top'),
  );
}

// Where readers may not look repositories up, operators have forms of their own.
function closedHelp({ source }: WhatsChanged, { isOperator }: Shell, isStored: boolean): Html {
  if (isStored) {
    const path = source && isOperator ? `/admin/view${sourcePath(source.orgSlug, source.sourceSlug)}` : null;
    return path ? todo('Read it again', 'You can have it read as operator.', buttonLink(path, 'Open the source')) : '';
  }
  if (!isOperator) return todo('Read its notes', 'Only operators add repositories here. Ask one of them.', '');
  return todo('Read its notes', 'You can add the repository as operator.', buttonLink('/admin/add', 'Add it'));
}

function buttonLink(path: string, words: string): Html {
  return html`<p class="sp-top"><a class="btn" href="${path}">${words}</a></p>`;
}

function todo(title: string, words: string, form: Html): Html {
  return html`<div class="todo"><h3>${title}</h3><p class="small">${words}</p>${form}</div>`;
}

export function trackForm(shell: Shell, values: Readonly<Record<string, string>>, body: Html, className = ''): Html {
  const hidden = { ...(shell.account && { csrf: shell.csrf(TRACK_PATH) }), ...values };
  return html`<form${className ? html` class="${className}"` : ''} data-form="track" method="post" action="${TRACK_PATH}">${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${body}</form>`;
}

const WORDS: Record<TrackOutcome, (name: string) => string> = {
  read: (name) => `The releases of ${name} were read just now. Older ones may follow in the next minutes.`,
  known: (name) => `${name} is here already, and was read within the last day.`,
  again: (name) => `${name} is read again now. Reload this page in a minute.`,
  later: (name) => `${name} is being read. Reload this page in a minute.`,
  silent: (name) => `GitHub has not answered about ${name} yet. Try again in a few minutes.`,
  empty: (name) => `${name} has no releases, no version tags and no changelog, so there is nothing to compare.`,
  missing: (name) => `There is no public repository ${name} with releases on GitHub. Check the spelling.`,
  full: () => 'This registry adds no more repositories today. Try again tomorrow.',
  wait: () => 'You asked for many repositories in a short time. Wait a minute and try again.',
  closed: () => 'Only operators add repositories here. Ask one of them.',
  unclear: () => 'Name the repository as owner/name, as in its address on GitHub.',
};
const SUCCESSES: ReadonlySet<TrackOutcome> = new Set(['read', 'known', 'again', 'later']);

// The address may be opened again later, so that what the answer shows otherwise is not said.
export function trackNote(
  outcome: TrackOutcome | undefined,
  { name, answer }: { name: string; answer: WhatsChanged | null },
): Html {
  if (outcome === undefined) return '';
  const isAnswered = answer?.status === 'resolved';
  const isSuccess = SUCCESSES.has(outcome);
  if (isAnswered && (outcome === 'later' || outcome === 'empty' || outcome === 'missing')) return '';
  if (answer && !isAnswered && (outcome === 'read' || outcome === 'known')) return '';
  const next =
    answer === null && (outcome === 'read' || outcome === 'known') ? ' Enter the version that you have.' : '';
  return noticeBox(isSuccess ? 'info' : 'warning', `${WORDS[outcome](name)}${next}`);
}
