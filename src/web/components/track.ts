// The button that has a repository or a package read, and what is said after it was pressed. The form of a reader who is not signed in
// carries no CSRF token, so that the page can be cached for everybody; it is accepted from pages of this site only.
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { ECOSYSTEM_WORDS, isEcosystem } from '../../domain/ecosystems/index.ts';
import { mayReadAgain } from '../../domain/fetching/on-demand.ts';
import { lookupMethod, type PackageName } from '../../domain/upgrade/requested-package.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { Shell } from '../frame/shell.ts';
import { sourcePath } from '../links.ts';
import { type Html, html } from './html.ts';
import { noticeBox } from './parts.ts';

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

// What the reader can have read about the question: a repository, or a package under the names that it may have. Null when
// that would not help.
type Readable = { coordinate: string; isStored: boolean; names?: never } | { names: readonly PackageName[] };

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
  // Names of old npm packages have capital letters, which their registry insists on.
  if (method.by === 'package_map') return { names: [{ ecosystem: method.ecosystem, name }] };
  if (method.by === 'slug') return { names: method.names.map((one) => ({ ...one, name })) };
  const coordinate = 'coordinate' in method ? method.coordinate : null;
  return coordinate === null ? null : { coordinate, isStored: false };
}

// `isOpen`: whether this registry lets its readers look repositories up.
export function readingHelp(answer: WhatsChanged, shell: Shell, isOpen: boolean): Html {
  const readable = readableFor(answer, shell.now);
  if (readable === null) return '';
  if (readable.names) return packageHelp(answer, shell, { names: readable.names, isOpen });
  const { coordinate, isStored } = readable;
  if (!isOpen) return closedHelp(answer, shell, isStored);
  const { package: name, ecosystem, from, to } = answer;
  const values = isStored
    ? { package: name, ecosystem: ecosystem ?? '', from, to }
    : { package: coordinate, ecosystem: 'github', from, to };
  const button = html`<button class="btn primary" type="submit">${isStored ? 'Read the source now' : `Track ${coordinate}`}</button>`;
  const isRead = (answer.source?.lastFetchedAt ?? null) !== null;
  const words = !isStored
    ? 'The repository is read on GitHub once, now. An operator can have it read regularly.'
    : isRead
      ? `Its repository ${coordinate} was not read in the last day. Newer versions may be there.`
      : `Its repository ${coordinate} was never read from here. Newer versions may be there.`;
  return todo(
    isStored ? (isRead ? 'Read it again' : 'Read it now') : 'Read its notes',
    words,
    trackForm(shell, { coordinate, ...values }, button, 'sp-top'),
  );
}

function packageHelp(
  answer: WhatsChanged,
  shell: Shell,
  { names, isOpen }: { names: readonly PackageName[]; isOpen: boolean },
): Html {
  if (names.length === 0) return '';
  if (!isOpen) return closedHelp(answer, shell, false);
  const words = 'Its repository, or the package where that has no notes, is read once, now.';
  const { from, to } = answer;
  const forms = names.map(({ ecosystem, name }, index) => {
    const label = names.length > 1 ? `Track ${name} from ${ECOSYSTEM_WORDS[ecosystem]}` : `Track ${name}`;
    return trackForm(shell, { package: name, ecosystem, from, to }, trackButton(label, index === 0 ? ' primary' : ''));
  });
  return todo('Read its notes', words, html`<div class="cluster sp-top">${forms}</div>`);
}

// The button on the page of a repository of which nothing was read yet; nothing for sources of other kinds.
export function readRepository(shell: Shell, url: string): Html {
  const coordinate = githubCoordinate(url);
  if (coordinate === null) return '';
  return trackForm(shell, { coordinate }, trackButton('Read it now', ' primary'), 'actions sp-top');
}

function trackButton(words: string, more: string): Html {
  return html`<button class="btn${more}" type="submit">${words}</button>`;
}

// The button on the page of a package that nobody tracks, or that is not known at all.
export function trackPackage(shell: Shell, { ecosystem, name }: PackageName, words = `Track ${name}`): Html {
  return trackForm(shell, { package: name, ecosystem }, trackButton(words, ' primary'), 'actions sp-top');
}

// Where readers may not look repositories up, operators have forms of their own.
function closedHelp({ source }: WhatsChanged, { isOperator }: Shell, isStored: boolean): Html {
  if (isStored) {
    const path = source && isOperator ? `/admin/view${sourcePath(source.orgSlug, source.sourceSlug)}` : null;
    return path
      ? todo('Read it again', 'You can have it read as an operator.', buttonLink(path, 'Open the source'))
      : '';
  }
  if (!isOperator) return todo('Read its notes', 'Only operators can add repositories here. Ask one of them.', '');
  return todo('Read its notes', 'You can add the repository as an operator.', buttonLink('/admin/add', 'Add it'));
}

function buttonLink(path: string, words: string): Html {
  return html`<p class="sp-top"><a class="btn" href="${path}">${words}</a></p>`;
}

function todo(title: string, words: string, form: Html): Html {
  return html`<div class="todo plain"><h3>${title}</h3><p class="small">${words}</p>${form}</div>`;
}

export function trackForm(shell: Shell, values: Readonly<Record<string, string>>, body: Html, className = ''): Html {
  const hidden = { ...(shell.account && { csrf: shell.csrf(TRACK_PATH) }), ...values };
  return html`<form${className ? html` class="${className}"` : ''} data-form="track" method="post" action="${TRACK_PATH}">${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${body}</form>`;
}

const WORDS: Record<TrackOutcome, (name: string, registry: string | null) => string> = {
  read: (name) => `The releases of ${name} were read just now. Older ones may follow in the next minutes.`,
  known: (name) => `${name} is here already, and was read within the last day.`,
  again: (name) => `${name} is read again now.`,
  later: (name) => `${name} is being read.`,
  silent: (name, registry) => `${registry ?? 'GitHub'} has not answered about ${name} yet. It is still being asked.`,
  empty: (name, registry) =>
    registry
      ? `Neither the repository of ${name} nor the package itself has notes, so there is nothing to compare.`
      : `${name} has no releases, no version tags and no changelog, so there is nothing to compare.`,
  missing: (name, registry) =>
    registry
      ? `There is no package ${name} on ${registry}. Check the spelling, and the case of its letters.`
      : `There is no public repository ${name} with releases on GitHub. Check the spelling.`,
  full: () => 'This registry can add no more repositories today. Try again tomorrow.',
  wait: () => 'You asked for many repositories in a short time. Wait a minute and try again.',
  closed: () => 'Only operators can add repositories here. Ask one of them.',
  unclear: (name, registry) =>
    registry
      ? `${name} cannot be the name of a package on ${registry}.`
      : 'Name the repository as owner/name, as in its address on GitHub.',
};
const SUCCESSES: ReadonlySet<TrackOutcome> = new Set(['read', 'known', 'again', 'later']);

// The address may be opened again later, so that what the answer shows otherwise is not said.
export function trackNote(
  outcome: TrackOutcome | undefined,
  {
    name,
    ecosystem,
    answer,
    inStack = false,
  }: { name: string; ecosystem?: string | undefined; answer: WhatsChanged | null; inStack?: boolean },
): Html {
  if (outcome === undefined) return '';
  const isAnswered = answer?.status === 'resolved';
  const isSuccess = SUCCESSES.has(outcome);
  if (isAnswered && (outcome === 'later' || outcome === 'empty' || outcome === 'missing')) return '';
  if (answer && !isAnswered && (outcome === 'read' || outcome === 'known')) return '';
  const next =
    answer === null && !inStack && (outcome === 'read' || outcome === 'known')
      ? ' Enter the version that you have.'
      : '';
  return noticeBox(isSuccess ? 'info' : 'warning', `${WORDS[outcome](name, registryWords(ecosystem))}${next}`);
}

function registryWords(ecosystem: string | undefined): string | null {
  return isEcosystem(ecosystem) ? ECOSYSTEM_WORDS[ecosystem] : null;
}
