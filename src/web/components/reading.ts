// What is being read because of a question, part by part. A script renews the answer around it as it arrives.
import type { ReadingPart, ReadingState } from '../../contract/reading.ts';
import { type Html, html, plural } from './html.ts';
import { upcoming } from './time.ts';

// Renewed as a whole while something is being read.
export function renewed(reading: ReadingState | undefined, body: Html): Html {
  const id = reading && !isOver(reading) ? reading.id : null;
  return html`<div data-renew="${id ?? ''}">${body}</div>`;
}

// `address` leads to the same question once more, for browsers without scripts.
export function readingBox(reading: ReadingState, address: string, now: number): Html {
  if (reading.state === 'done') return '';
  if (reading.state === 'refused') {
    const until = reading.retryAt ? html` New packages can be read again ${upcoming(reading.retryAt, now)}.` : '';
    return box('Not read now', html`<p class="small">You have asked for many packages in a short time.${until}</p>`);
  }
  const { title, words } = headOf(reading);
  const link = isOver(reading)
    ? ''
    : html`<noscript><p class="small sp-top"><a href="${address}">Show what is known by now</a></p></noscript>`;
  return box(title, html`<p class="small" role="status">${words}</p>${partList(reading)}${link}`);
}

function isOver({ state }: ReadingState): boolean {
  return !isBeingRead(state);
}

export function isBeingRead(state: ReadingState['state'] | undefined): boolean {
  return state === 'waiting' || state === 'running';
}

function headOf({ state, waitAhead, reason }: ReadingState): { title: string; words: string } {
  if (state === 'failed')
    return { title: 'It could not be read', words: `It stopped: ${reason ?? 'nothing answered'}.` };
  const ahead = waitAhead > 0 ? ` after ${plural(waitAhead, 'other package', 'other packages')}` : '';
  if (state === 'waiting')
    return { title: 'Read next', words: `Its turn comes${ahead || ' in a moment'}. The answer fills in here.` };
  return { title: 'Being read now', words: 'The answer fills in here as it arrives.' };
}

function box(title: string, body: Html): Html {
  return html`<div class="todo plain"><h3>${title}</h3>${body}</div>`;
}

const MARKS: Record<ReadingPart['state'], string> = {
  waiting: 'waits',
  running: 'now',
  done: 'done',
  nothing: 'none',
  failed: 'failed',
  off: 'off',
};

// Nothing waits any more where the reading has failed, and the reason is told above.
function partList({ state: whole, parts }: ReadingState): Html {
  const left: ReadingPart['state'][] = whole === 'failed' ? ['off', 'waiting', 'running', 'failed'] : ['off'];
  const rows = parts.filter(({ state }) => !left.includes(state));
  if (rows.length === 0) return '';
  return html`<ul class="mini">${rows.map(({ text, state, done, of }) => html`<li><span>${text}${done !== undefined && of ? `, ${done} of ${of}` : ''} <span class="muted small">${MARKS[state]}</span></span></li>`)}</ul>`;
}
