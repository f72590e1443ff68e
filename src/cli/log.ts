// The log of a server command. It goes to stderr, so that what a command answers stands alone on stdout.
import { type Logger, pino } from 'pino';

// Whatever looks like one of our credentials, wherever it stands in a line.
const SECRET = /\brel(?:[kuf]|oc?)_[0-9A-Za-z_-]{12,}/g;

const HEADERS = ['authorization', 'cookie', '["set-cookie"]'];

export function createLog(level: string, write?: (line: string) => void): Logger {
  return pino(
    {
      level,
      base: null,
      redact: HEADERS.flatMap((name) => [name, `headers.${name}`, `*.headers.${name}`].map(joined)),
      hooks: { streamWrite: withoutSecrets },
    },
    write ? { write } : pino.destination({ dest: 2, sync: true }),
  );
}

export function withoutSecrets(text: string): string {
  return text.replace(SECRET, '[redacted]');
}

function joined(path: string): string {
  return path.replace('.[', '[');
}
