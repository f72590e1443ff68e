// Server-sent events, read as they come and resumed where a connection broke.
import { errorMessage } from '../../domain/records.ts';
import { ApiFailure } from './api-failure.ts';

export interface Frame {
  event: string;
  data: string;
  id?: string;
  retryMs?: number;
}

// Takes text in pieces as they arrive, and gives the frames that are complete.
export function createFrameParser(): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const blocks = `${rest}${text}`.replace(/\r\n/g, '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(parseFrame).filter((frame) => frame !== null);
  };
}

function parseFrame(block: string): Frame | null {
  const frame: Frame = { event: 'message', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === 'event') frame.event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id') frame.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) frame.retryMs = Number(value);
  }
  frame.data = data.join('\n');
  return data.length === 0 && frame.retryMs === undefined ? null : frame;
}

interface ResumePoint {
  lastEventId?: string;
  // Number of the newest event when the stream began, until an event has come.
  since?: number;
}

interface FollowOptions {
  connect(from: ResumePoint): Promise<Response>;
  wait(ms: number): Promise<void>;
  // Called once each time that the connection is lost.
  onLost(reason: string): void;
  signal: AbortSignal;
}

const RETRY_MS = 3000;
const LONGEST_RETRY_MS = 60_000;
// Three keep-alives that did not come.
const SILENCE_MS = 50_000;

// Frames of a stream that ends with the signal only. What cannot be opened at first, or is refused later, is an error.
export async function* followStream(options: FollowOptions): AsyncGenerator<Frame> {
  const { connect, wait, onLost, signal } = options;
  const from: ResumePoint = {};
  let retryMs = RETRY_MS;
  let failures = 0;
  for (;;) {
    let lost = 'the connection was closed';
    try {
      const response = await connect({ ...from });
      for await (const frame of framesOf(response, signal)) {
        failures = 0;
        if (frame.retryMs !== undefined) retryMs = frame.retryMs;
        if (frame.id !== undefined) from.lastEventId = frame.id;
        if (frame.event === 'ready') from.since ??= seqIn(frame.data);
        if (frame.event === 'bye') lost = '';
        else if (frame.data !== '') yield frame;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (from.since === undefined || isRefusal(error)) throw error;
      lost = errorMessage(error);
    }
    if (signal.aborted) return;
    failures += 1;
    // A planned close is not worth a word.
    if (lost !== '' && failures === 1) onLost(lost);
    await wait(Math.min(LONGEST_RETRY_MS, retryMs * 2 ** Math.min(failures - 1, 5)));
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiFailure && error.status < 500 && error.status !== 429;
}

async function* framesOf(response: Response, signal: AbortSignal): AsyncGenerator<Frame> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parse = createFrameParser();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function withinSilence<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('nothing came for too long')), SILENCE_MS);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}

// Where the stream stands, as its first event says it.
function seqIn(data: string): number {
  const { seq }: { seq: number } = JSON.parse(data);
  return seq;
}
