// Bills of materials in JSON: CycloneDX and SPDX. A purl names a package; the root component is the project itself, which is
// nobody's dependency.
import { type Ecosystem, isEcosystem } from '../../ecosystems/index.ts';
import { type JsonObject, objectOf } from './json-text.ts';
import { type DirectDependency, type LockedPackage, MAX_PACKAGES, PackageList } from './types.ts';

export type BillFormat = 'CycloneDX' | 'SPDX';

interface Component {
  ref: string;
  purl: string | null;
  dev: boolean | null;
}

interface Bill {
  format: BillFormat;
  components: Component[];
  // What the root depends on; null where the file does not say.
  direct: ReadonlySet<string> | null;
  truncated: boolean;
}

interface BillPackages {
  format: BillFormat;
  packages: LockedPackage[];
  direct: DirectDependency[];
  truncated: boolean;
  // Components that no ecosystem here has, or that name no version.
  otherEcosystems: number;
}

function billFormat(json: JsonObject): BillFormat | null {
  if (json.bomFormat === 'CycloneDX') return 'CycloneDX';
  const isGraph = Array.isArray(json['@graph']) && JSON.stringify(json['@context'] ?? '').includes('spdx.org');
  return typeof json.spdxVersion === 'string' || isGraph ? 'SPDX' : null;
}

export function readBill(json: JsonObject): BillPackages | null {
  const bill = billOf(json);
  if (bill === null) return null;
  const lists = new Map<Ecosystem, PackageList>();
  const direct: DirectDependency[] = [];
  let otherEcosystems = 0;
  for (const { ref, purl, dev } of bill.components) {
    const named = purl === null ? null : readPurl(purl);
    const list = named && (lists.get(named.ecosystem) ?? new PackageList(named.ecosystem));
    if (named && list) lists.set(named.ecosystem, list);
    const locked =
      named && list?.add(named.name, named.version, { dev, ...(named.isVcs && { source: 'git', ref: null }) });
    if (!locked) otherEcosystems += 1;
    else if (bill.direct?.has(ref)) {
      locked.direct = true;
      direct.push({ workspace: '', installedAs: locked.name, locked });
    }
  }
  if (direct.length > 0) for (const list of lists.values()) list.knowsDirect();
  const packages = [...lists.values()].flatMap((list) => list.packages);
  return { format: bill.format, packages, direct, truncated: bill.truncated, otherEcosystems };
}

// Names of packages with the address of the registry that the file says they come from.
export function billAddresses(json: JsonObject): { name: string; address: string }[] {
  return (billOf(json)?.components ?? []).flatMap(({ purl }) => {
    const named = purl === null ? null : readPurl(purl);
    return named?.registry ? [{ name: named.name, address: named.registry }] : [];
  });
}

function billOf(json: JsonObject): Bill | null {
  const format = billFormat(json);
  if (format === 'CycloneDX') return cycloneDx(json);
  if (format === null) return null;
  return Array.isArray(json['@graph']) ? spdxGraph(json['@graph']) : spdxList(json);
}

interface Purl {
  ecosystem: Ecosystem;
  name: string;
  version: string;
  registry: string | null;
  isVcs: boolean;
}

const PURL = /^pkg:([a-z0-9.+-]{1,40})\/([^@?#]{1,600})@([^?#]{1,400})(?:\?([^#]{0,4000}))?/i;

// Null where it is of another ecosystem, or names no version.
export function readPurl(text: string): Purl | null {
  const [, type = '', path = '', version = '', query = ''] = PURL.exec(text) ?? [];
  const ecosystem = type.toLowerCase();
  if (!isEcosystem(ecosystem)) return null;
  const [name, plain] = [decoded(path), decoded(version)];
  if (name === null || plain === null) return null;
  const qualifiers = new URLSearchParams(query);
  return {
    ecosystem,
    name: name.replace(/^\/+|\/+$/g, ''),
    version: plain,
    registry: addressIn(qualifiers.get('repository_url')),
    isVcs: qualifiers.has('vcs_url'),
  };
}

function addressIn(text: string | null): string | null {
  if (text === null || text === '') return null;
  return /^https?:/.test(text) ? text : `https://${text}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectsIn(value: unknown): JsonObject[] {
  return listIn(value).flatMap((one): JsonObject[] => {
    const found = objectOf(one);
    return found ? [found] : [];
  });
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

// Components may hold components of their own; the list is walked without recursion.
function cycloneDx(json: JsonObject): Bill {
  const root = objectOf(objectOf(json.metadata)?.component);
  const rootRef = textIn(root?.['bom-ref']);
  const components: Component[] = [];
  const open: unknown[][] = [listIn(json.components)];
  let truncated = false;
  for (let list = open.pop(); list !== undefined; list = open.pop()) {
    for (const one of list) {
      const part = objectOf(one);
      if (part === null) continue;
      if (components.length >= MAX_PACKAGES) {
        truncated = true;
        break;
      }
      const nested = listIn(part.components);
      if (nested.length > 0) open.push(nested);
      const ref = textIn(part['bom-ref']);
      if (part.type === 'file' || (rootRef !== '' && ref === rootRef)) continue;
      components.push({ ref, purl: textIn(part.purl) || null, dev: isDevelopment(part) });
    }
  }
  const named = listIn(json.dependencies).find((one) => rootRef !== '' && objectOf(one)?.ref === rootRef);
  const direct = named === undefined ? null : new Set(listIn(objectOf(named)?.dependsOn).map(textIn));
  return { format: 'CycloneDX', components, direct, truncated };
}

function isDevelopment(part: JsonObject): boolean | null {
  const found = listIn(part.properties).find((one) => objectOf(one)?.name === 'cdx:npm:package:development');
  return found === undefined ? null : objectOf(found)?.value === 'true';
}

function spdxList(json: JsonObject): Bill {
  const all = objectsIn(json.packages);
  const relations = listIn(json.relationships).flatMap((one) => {
    const relation = objectOf(one);
    return relation
      ? [
          {
            from: textIn(relation.spdxElementId),
            type: textIn(relation.relationshipType),
            to: textIn(relation.relatedSpdxElement),
          },
        ]
      : [];
  });
  const roots = new Set([
    ...listIn(json.documentDescribes).map(textIn),
    ...relations.filter(({ type, from }) => type === 'DESCRIBES' && from === 'SPDXRef-DOCUMENT').map(({ to }) => to),
  ]);
  const direct = relations.flatMap(({ from, type, to }) => {
    if (type === 'DEPENDS_ON' && roots.has(from)) return [to];
    return type === 'DEPENDENCY_OF' && roots.has(to) ? [from] : [];
  });
  const dev = new Set(relations.filter(({ type }) => type === 'DEV_DEPENDENCY_OF').map(({ from }) => from));
  const components = all
    .filter((one) => !isRoot(textIn(one.SPDXID), roots, all.length))
    .map((one): Component => {
      const ref = textIn(one.SPDXID);
      const purl = listIn(one.externalRefs)
        .map(objectOf)
        .find((found) => found?.referenceType === 'purl');
      return { ref, purl: textIn(purl?.referenceLocator) || null, dev: dev.size > 0 ? dev.has(ref) : null };
    });
  return bounded(components, direct);
}

// A document that describes all of its packages names no root.
function isRoot(ref: string, roots: ReadonlySet<string>, all: number): boolean {
  return roots.has(ref) && roots.size < all;
}

function spdxGraph(graph: unknown[]): Bill {
  const all = objectsIn(graph);
  const roots = new Set(all.flatMap((one) => listIn(one.rootElement).map(textIn)));
  const packages = all.filter((one) => textIn(one.type ?? one['@type']) === 'software_Package');
  const direct = all
    .filter((one) => textIn(one.relationshipType) === 'dependsOn' && roots.has(textIn(one.from)))
    .flatMap((one) => listIn(one.to).map(textIn));
  const components = packages
    .filter((one) => !isRoot(textIn(one.spdxId), roots, packages.length))
    .map((one): Component => {
      const other = listIn(one.externalIdentifier)
        .map(objectOf)
        .find((found) => textIn(found?.externalIdentifierType) === 'packageUrl');
      const purl = textIn(one.software_packageUrl) || textIn(other?.identifier);
      return { ref: textIn(one.spdxId), purl: purl || null, dev: null };
    });
  return bounded(components, direct);
}

function bounded(components: Component[], direct: readonly string[]): Bill {
  return {
    format: 'SPDX',
    components: components.slice(0, MAX_PACKAGES),
    direct: direct.length > 0 ? new Set(direct) : null,
    truncated: components.length > MAX_PACKAGES,
  };
}
