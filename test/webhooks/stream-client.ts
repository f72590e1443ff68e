// A client of event streams.
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

interface Frame {
  event: string;
  id: string | null;
  // The parsed data, where it is JSON.
  data: unknown;
}

export interface StreamReader {
  status: number;
  headers: IncomingHttpHeaders;
  frames: Frame[];
  // Everything that is not an event: comments and retry times.
  other: string[];
  // Resolves once the condition on the received frames holds.
  until(holds: (frames: readonly Frame[]) => boolean): Promise<void>;
  // The sequence numbers of the received releases.
  seqs(): number[];
  ended: Promise<void>;
  close(): void;
}

export function openStream(url: string, headers: Record<string, string> = {}): Promise<StreamReader> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) =>
      resolve(readerOf(response, () => request.destroy())),
    );
    request.on('error', reject);
  });
}

function readerOf(response: IncomingMessage, close: () => void): StreamReader {
  const frames: Frame[] = [];
  const other: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = frameOf(block);
      if (frame) frames.push(frame);
      else other.push(block);
    }
    for (const look of waiting) look();
  });
  response.on('error', () => {});
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    frames,
    other,
    until: (holds) =>
      new Promise((resolve) => {
        const look = () => {
          if (!holds(frames)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    seqs: () =>
      frames.filter(({ event }) => event === 'release.created').map(({ data }) => (data as { seq: number }).seq),
    ended: new Promise((resolve) => response.once('close', resolve)),
    close,
  };
}

function frameOf(block: string): Frame | null {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(': ') + 2)]),
  );
  const event = fields.get('event');
  if (event === undefined) return null;
  return { event, id: fields.get('id') ?? null, data: JSON.parse(fields.get('data') ?? 'null') };
}
