// Waits until the server has read what a question lacks, with a line that tells what is read.
import type { ReadingAnswer, ReadingState } from '../../../contract/reading.ts';
import type { Session } from '../client-command.ts';
import { printableLine } from '../printable.ts';

const PATIENCE_MS = 60_000;
const WAIT_SECONDS = 10;

// True when the question is worth asking once more.
export async function awaitReading(
  { api, output, terminal }: Session,
  reading: ReadingState | undefined,
): Promise<boolean> {
  if (!reading?.id || isOver(reading)) return false;
  const until = performance.now() + PATIENCE_MS;
  const line = progressLine(terminal);
  let shown: ReadingState = reading;
  while (!isOver(shown) && performance.now() < until) {
    line.show(wordsOf(shown));
    shown = await api.get<ReadingAnswer>(`/v1/readings/${encodeURIComponent(reading.id)}`, { wait: WAIT_SECONDS });
  }
  line.clear();
  if (shown.state === 'failed') output.note(`registry: ${shown.reason ?? 'it could not be read'}`);
  else if (!isOver(shown)) output.note('registry: the server is still reading; this is what is known by now');
  return true;
}

function isOver({ state }: ReadingState): boolean {
  return state !== 'waiting' && state !== 'running';
}

function wordsOf({ state, parts, waitAhead }: ReadingState): string {
  const part = parts.find((one) => one.state === 'running');
  if (state === 'waiting' || !part) return waitAhead > 0 ? `waiting behind ${waitAhead} others` : 'waiting';
  const share = part.done !== undefined && part.of ? `, ${part.done} of ${part.of}` : '';
  return `${part.text}${share}`;
}

// One line on a terminal, and a line for each change elsewhere.
function progressLine({ err, isTTY }: Session['terminal']) {
  const { stderr } = process;
  const isDrawn = isTTY === true && stderr.isTTY === true;
  let last = '';
  return {
    show(words: string) {
      if (words === last) return;
      last = words;
      const told = printableLine(words);
      if (isDrawn) stderr.write(`\r\x1b[K${told}`);
      else err(`registry: ${told}`);
    },
    clear() {
      if (last !== '' && isDrawn) stderr.write('\r\x1b[K');
    },
  };
}
