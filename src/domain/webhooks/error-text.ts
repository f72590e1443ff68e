// The beginning of a receiver's answer, as a log may show it.

const SHOWN = 200;
// A credential that begins within what is shown ends within this.
const READ = 2048;

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
const CREDENTIALS = [
  /\brel(?:[kuf]|oc?)_[0-9A-Za-z_-]+/g,
  // A signed token in three parts.
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\bwhsec_[0-9A-Za-z+/=]+/g,
];

// `secret` is a text that must not be shown wherever it stands, such as the path of an address that is a secret.
export function errorText(body: Uint8Array, secret: string | null = null): string {
  const decoded = new TextDecoder().decode(body.subarray(0, READ * 4)).slice(0, READ);
  let text = decoded.replace(CONTROL, ' ');
  // As many blanks as there were characters: what is shown does not depend on what was hidden.
  for (const shape of CREDENTIALS) text = text.replace(shape, (found) => ' '.repeat(found.length));
  if (secret !== null && secret.length > 1) text = text.replaceAll(secret, ' '.repeat(secret.length));
  return text
    .slice(0, SHOWN)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}
