// The log of a server command. It is written to stderr, so that stdout contains only the output of the command.
import { writeSync } from 'node:fs';
import { isatty, WriteStream } from 'node:tty';
import { type Logger, pino } from 'pino';
import { errorCode } from '../domain/records.ts';

type LogFormat = 'auto' | 'json' | 'pretty';

const STDERR = 2;

// Patterns of credentials in any part of a line: our own by their prefixes, signed tokens, bearer tokens, session
// cookies, and the URLs of chat hooks, which are secrets themselves.
const SECRETS = [
  /\brel(?:[kuf]|oc?)_[0-9A-Za-z_-]{12,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/g,
  /\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g,
  /(?<=\bBearer\s+)[\w.~+/-]{12,}=*/gi,
  /(?<=\bregistry(?:\.session_token|_operator)=)[^;"\s]{8,}/g,
  /(?<=\bhooks\.slack(?:-gov)?\.com\/)[^"\s]+/g,
  /(?<=\bdiscord(?:app)?\.com\/api\/webhooks\/)[^"\s]+/g,
  /(?<=\b(?:logic\.azure|environment\.api\.powerplatform)\.com(?::\d+)?\/)[^"\s]+/g,
  /(?<=\bchat\.googleapis\.com\/)[^"\s]+/g,
];

const HEADERS = ['authorization', 'cookie', '["set-cookie"]'];

export function createLog(level: string, write: (line: string) => void = stderrWriter('auto')): Logger {
  return pino(
    {
      level,
      base: null,
      redact: HEADERS.flatMap((name) => [name, `headers.${name}`, `*.headers.${name}`].map(joined)),
      hooks: { streamWrite: withoutSecrets },
    },
    { write },
  );
}

// A thread's own `process.stderr` does not say whether it is a terminal, so the file descriptor is asked.
const terminalOfProcess = (): Pick<NodeJS.WriteStream, 'isTTY'> & Partial<Pick<NodeJS.WriteStream, 'hasColors'>> => ({
  isTTY: isatty(STDERR),
  hasColors: () => WriteStream.prototype.hasColors(),
});

// Writes readable lines to a terminal and JSON elsewhere.
export function stderrWriter(
  format: LogFormat,
  stream: ReturnType<typeof terminalOfProcess> = terminalOfProcess(),
): (line: string) => void {
  const { write } = createLogDestination(STDERR);
  if (format === 'json' || (format === 'auto' && !stream.isTTY)) return write;
  const colour = Boolean(stream.isTTY && stream.hasColors?.());
  return (line) => write(prettyLine(line, { colour }));
}

function withoutSecrets(text: string): string {
  return SECRETS.reduce((line, secret) => line.replace(secret, '[redacted]'), text);
}

function joined(path: string): string {
  return path.replace('.[', '[');
}

// The destination of log lines. A line that cannot be written is dropped and counted, so that no request fails because
// of the log.
interface LogDestination {
  write(line: string): void;
}

type WriteBytes = (bytes: Uint8Array) => number;

// The pause before a slow pipe is tried again; a line waits no longer.
const PAUSE_MS = 2;
const MAX_PAUSES = 50;

export function createLogDestination(
  fd: number,
  writeBytes: WriteBytes = (bytes) => writeSync(fd, bytes),
): LogDestination {
  let dropped = 0;

  function writeWhole(text: string): boolean {
    let rest: Uint8Array = Buffer.from(text);
    for (let pauses = 0; rest.length > 0; ) {
      try {
        rest = rest.subarray(writeBytes(rest));
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN' || pauses === MAX_PAUSES) return false;
        pauses += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      }
    }
    return true;
  }

  return {
    write(line) {
      const missing =
        dropped > 0 ? `${JSON.stringify({ level: 40, dropped, msg: 'log lines could not be written' })}\n` : '';
      if (writeWhole(`${missing}${line}`)) dropped = 0;
      else dropped += 1;
    },
  };
}

// A log line for a person at a terminal: time, level, message, then the fields.

interface LogLine {
  level: number;
  time?: number;
  msg?: string;
  err?: { message?: string; stack?: string };
  [fact: string]: unknown;
}

const LEVELS: Readonly<Record<number, [name: string, colour: number]>> = {
  10: ['TRACE', 90],
  20: ['DEBUG', 36],
  30: ['INFO', 32],
  40: ['WARN', 33],
  50: ['ERROR', 31],
  60: ['FATAL', 35],
};
const NAME_WIDTH = 5;
// C0 and C1 control characters, delete, and bidirectional marks, which a terminal would obey.
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const STACK_CONTROLS = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

interface PrettyOptions {
  colour: boolean;
}

// Lines that are not ours are printed unchanged, without control characters.
export function prettyLine(json: string, { colour }: PrettyOptions): string {
  const line = parse(json);
  if (line === null) return `${json.replace(CONTROLS, ' ').trim()}\n`;
  const { level, time, msg = '', err, ...facts } = line;
  const [name, code] = LEVELS[level] ?? [String(level), 0];
  const paint = (text: string, shade: number) => (colour ? `\x1b[${shade}m${text}\x1b[0m` : text);
  const parts = [
    ...(time === undefined ? [] : [paint(clockTime(time), 90)]),
    paint(name.padEnd(NAME_WIDTH), code),
    msg.replace(CONTROLS, ' '),
    ...Object.entries(facts).map(([key, value]) => paint(`${plain(key)}=${plain(value)}`, 90)),
    ...(err?.message === undefined ? [] : [paint(`err=${plain(err.message)}`, 31)]),
  ];
  const stack = level >= 50 && err?.stack ? `${stackOf(err.stack)}\n` : '';
  return `${parts.join(' ')}\n${stack}`;
}

function parse(json: string): LogLine | null {
  try {
    const value: LogLine | null = JSON.parse(json);
    return typeof value?.level === 'number' ? value : null;
  } catch {
    return null;
  }
}

function clockTime(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const shown = text.replace(CONTROLS, ' ');
  return typeof value === 'string' && /[\s"=]/.test(shown) ? JSON.stringify(shown) : shown;
}

// The message is in the line already, so it is removed from the stack.
function stackOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((frame) => `    ${frame.trim().replace(STACK_CONTROLS, ' ')}`).join('\n');
}
