// Reads a `.npmrc`: one `key = value` a line. Lists (`key[] = value`) keep their values in order.

const MAX_FILE_LENGTH = 1024 * 1024;
const VARIABLE = /(?<!\\)\$\{([^${}]{1,200})\}/g;

export type NpmrcKeys = ReadonlyMap<string, string>;

// `env` fills in variables; without it a value that holds one is left out, so that nobody's file can ask for them.
export function parseNpmrc(text: string, env: Readonly<Record<string, string | undefined>> | null): NpmrcKeys {
  const keys = new Map<string, string>();
  if (text.length > MAX_FILE_LENGTH) return keys;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    const at = line.indexOf('=');
    if (at <= 0 || /^[;#[]/.test(line)) continue;
    const key = unquoted(line.slice(0, at).trim());
    const value = filled(unquoted(line.slice(at + 1).trim()), env);
    if (value === null) continue;
    if (key.endsWith('[]')) keys.set(key.slice(0, -2), [keys.get(key.slice(0, -2)), value].filter(Boolean).join('\n'));
    else keys.set(key, value);
  }
  return keys;
}

function unquoted(text: string): string {
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(text);
  return quoted ? (quoted[1] ?? quoted[2] ?? '') : text.replace(/\s+[;#].*$/, '');
}

// Null for a value that cannot be filled in.
function filled(value: string, env: Readonly<Record<string, string | undefined>> | null): string | null {
  if (env === null) return value.search(VARIABLE) === -1 ? value : null;
  let isWhole = true;
  const text = value.replace(VARIABLE, (_, name: string) => {
    // `${NAME?}` may be missing.
    const found = env[name.replace(/\?$/, '')];
    if (found === undefined && !name.endsWith('?')) isWhole = false;
    return found ?? '';
  });
  return isWhole ? text : null;
}
