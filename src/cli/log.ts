// The log of a server command. It goes to stderr, so that what a command answers stands alone on stdout.
import { type Logger, pino } from 'pino';
import { createLogDestination } from './log-destination.ts';
import { prettyLine } from './pretty-log.ts';

type LogFormat = 'auto' | 'json' | 'pretty';

const STDERR = 2;

// Whatever looks like a credential, wherever it stands in a line: our own by their prefixes, signed tokens, Bearer
// values, session cookies, and the addresses of chat hooks, which are secrets themselves.
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

// Writes for a person where one reads along, for machines elsewhere.
export function stderrWriter(
  format: LogFormat,
  stream: Pick<NodeJS.WriteStream, 'isTTY'> & Partial<Pick<NodeJS.WriteStream, 'hasColors'>> = process.stderr,
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
