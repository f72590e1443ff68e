// The log of a server command. It goes to stderr, so that what a command answers stands alone on stdout.
import { type Logger, pino } from 'pino';

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
  return SECRETS.reduce((line, secret) => line.replace(secret, '[redacted]'), text);
}

function joined(path: string): string {
  return path.replace('.[', '[');
}
