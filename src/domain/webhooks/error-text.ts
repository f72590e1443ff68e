// The beginning of a receiver's answer without credentials, for the delivery log.

const SHOWN = 200;
// A credential that begins in the shown part ends within this many characters.
const READ = 2048;

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
const CREDENTIALS = [
  /\brel(?:[kuf]|oc?)_[0-9A-Za-z_-]+/g,
  // A JSON Web Token.
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\bwhsec_[0-9A-Za-z+/=]+/g,
];

// A path of one character hides nothing.
const SECRET_LEAST = 2;

// `secrets` are texts that must never be shown, such as the path of a secret address.
export function errorText(body: Uint8Array, secrets: readonly string[] = []): string {
  const decoded = new TextDecoder().decode(body.subarray(0, READ * 4)).slice(0, READ);
  let text = decoded.replace(CONTROL, ' ');
  // Credentials become the same number of blanks, so that the shown part ends at the same character with and without them.
  for (const shape of CREDENTIALS) text = text.replace(shape, (found) => ' '.repeat(found.length));
  for (const secret of secrets) {
    if (secret.length >= SECRET_LEAST) text = text.replaceAll(secret, ' '.repeat(secret.length));
  }
  return text
    .slice(0, SHOWN)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}
