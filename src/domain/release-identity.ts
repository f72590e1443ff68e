// Identity keys: when two items of one source are the same release.
import { hash } from 'node:crypto';
import { normalizeUrl } from './urls.ts';
import { versionIdentity } from './versions/index.ts';

export interface Identifiable {
  title: string;
  content: string;
  version: string | null;
  url: string | null;
  guid: string | null;
  publishedAt: string | null;
}

export interface ItemKeys {
  // The key under which the release is stored: url, else guid, else version, else fingerprint.
  key: string;
  guid: string | null;
  // A second key to look up, for source types in which a version names one release.
  versionKey: string | null;
  hasAddress: boolean;
}

// `ownAddresses` are the source's page, feed and changelog in normalised form: a link to one of them names no release.
export function identityKeys(items: readonly Identifiable[], ownAddresses: ReadonlySet<string>): ItemKeys[] {
  const steps = identityKeySteps(items, ownAddresses);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

// So many items take a millisecond or two.
const STEP = 200;

// The same with pauses, for a caller that must not work on a long list without a break.
export function* identityKeySteps(
  items: readonly Identifiable[],
  ownAddresses: ReadonlySet<string>,
): Generator<void, ItemKeys[]> {
  const addresses: (string | null)[] = [];
  const titles = new SharedAddresses();
  for (const [index, item] of items.entries()) {
    const address = item.url ? normalizeUrl(item.url) : null;
    addresses.push(address);
    if (address) titles.add(address, item);
    if (index % STEP === STEP - 1) yield;
  }
  const repeatedGuids = repeated(items.map((item) => item.guid));
  const keys: ItemKeys[] = [];
  for (const [index, item] of items.entries()) {
    keys.push(keysOf(item, addresses[index] ?? null));
    if (index % STEP === STEP - 1) yield;
  }
  return keys;

  function keysOf(item: Identifiable, address: string | null): ItemKeys {
    const url = address !== null && !ownAddresses.has(address) && !titles.shared.has(address) ? `u:${address}` : null;
    const guid = item.guid !== null && !repeatedGuids.has(item.guid) ? item.guid : null;
    const versionKey = item.version === null ? null : `v:${versionIdentity(item.version)}`;
    return {
      key: url ?? (guid === null ? (versionKey ?? fingerprint(item)) : `g:${guid}`),
      guid,
      versionKey,
      hasAddress: url !== null || guid !== null,
    };
  }
}

// Addresses that items with different titles or versions share; such an address identifies none of them.
class SharedAddresses {
  readonly shared = new Set<string>();
  readonly #names = new Map<string, string>();

  add(address: string, { version, title }: Identifiable): void {
    const name = `${version ?? ''}\n${foldTitle(title)}`;
    const known = this.#names.get(address);
    if (known === undefined) this.#names.set(address, name);
    else if (known !== name) this.shared.add(address);
  }
}

function repeated(values: readonly (string | null)[]): Set<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const value of values) {
    if (value === null) continue;
    if (seen.has(value)) twice.add(value);
    seen.add(value);
  }
  return twice;
}

function fingerprint(item: Identifiable): string {
  const rest = item.publishedAt ? item.publishedAt.slice(0, 10) : item.content;
  return `f:${sha256(`${foldTitle(item.title)}\n${rest}`)}`;
}

export function foldTitle(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

type Hashed = Pick<Identifiable, 'title' | 'content' | 'version' | 'publishedAt'>;

export function contentHash(item: Hashed): string {
  return sha256(
    [item.title.trim(), item.version ?? '', item.publishedAt ?? '', normalBody(item.content)].join('\u0000'),
  );
}

// The body without what does not count as a change: line ends, trailing blanks and runs of blank lines. Most texts have none
// of them.
export function normalBody(content: string): string {
  if (!/\r|\n\n\n|[^\S\n]\n/.test(content)) return content.trim();
  const lines: string[] = [];
  for (const line of content.replace(/\r\n?/g, '\n').split('\n')) {
    const text = line.trimEnd();
    if (text !== '' || lines.at(-1) !== '') lines.push(text);
  }
  return lines.join('\n').trim();
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
