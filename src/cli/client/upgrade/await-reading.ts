// Waits until the server has read what questions lack, with a line that tells what is read.
import type { ReadingAnswer, ReadingState } from '../../../contract/reading.ts';
import { hasEnded } from '../../../domain/readings/reading.ts';
import type { Session } from '../client-command.ts';
import { printableLine } from '../printable.ts';

const PATIENCE_MS = 60_000;
const WAIT_SECONDS = 10;

export type AwaitReadings = (readings: readonly (ReadingState | undefined)[]) => Promise<boolean>;

// True when the questions are worth asking once more.
export async function awaitReadings(
  { api, flags, output, terminal }: Session,
  readings: readonly (ReadingState | undefined)[],
): Promise<boolean> {
  const open = readings.filter((reading) => reading?.id && !hasEnded(reading));
  if (open.length === 0 || flags['no-wait']) return false;
  const until = performance.now() + PATIENCE_MS;
  const line = progressLine(terminal);
  let last: ReadingState | undefined;
  for (const [index, reading] of open.entries()) {
    last = reading;
    while (last && !hasEnded(last) && performance.now() < until) {
      line.show(open.length === 1 ? wordsOf(last) : `read ${index} of ${open.length} packages`);
      last = await api.get<ReadingAnswer>(`/v1/readings/${encodeURIComponent(reading?.id ?? '')}`, {
        wait: WAIT_SECONDS,
      });
    }
  }
  line.clear();
  if (last && !hasEnded(last)) output.note('registry: the server is still reading; this is what is known by now');
  else if (open.length === 1 && last?.state === 'failed')
    output.note(`registry: ${last.reason ?? 'it could not be read'}`);
  return true;
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
