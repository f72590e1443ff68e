// Whether an archive is the one that its registry lists, by the hashes of its listing (`sha512-<base64>`, several with
// blanks between them). The strongest kind counts: a weak one proves nothing beside a strong one.
const KINDS = [
  ['sha512', 'SHA-512'],
  ['sha384', 'SHA-384'],
  ['sha256', 'SHA-256'],
  ['sha1', 'SHA-1'],
] as const;

// False when nothing is listed: what cannot be checked is not read.
export async function integrityHolds(bytes: Uint8Array<ArrayBuffer>, integrity: string | null): Promise<boolean> {
  const listed = (integrity ?? '').split(/\s+/).map((one) => /^([a-z0-9]+)-([A-Za-z0-9+/=]+)/.exec(one));
  for (const [kind, algorithm] of KINDS) {
    const hashes = listed.flatMap((one) => (one?.[1] === kind ? (one[2] ?? []) : []));
    if (hashes.length === 0) continue;
    const actual = Buffer.from(await crypto.subtle.digest(algorithm, bytes));
    return hashes.some((hash) => actual.equals(Buffer.from(hash, 'base64')));
  }
  return false;
}
