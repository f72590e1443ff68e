// The log of a server command. It is written to stderr, so that stdout contains only the output of the command.

import { writeSync } from 'node:fs';
import { isatty, WriteStream } from 'node:tty';
import { type Logger, pino } from 'pino';
import { errorCode } from '../domain/records.ts';
import { prettyLine } from './pretty-log.ts';

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
const MOST_PAUSES = 50;

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
        if (errorCode(error) !== 'EAGAIN' || pauses === MOST_PAUSES) return false;
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
