// yarn.lock, both the older form of its own and the YAML of later versions.
import { blockLines } from './block-lines.ts';
import { shortRef } from './npm.ts';
import { elsewhere, type NpmNeed, readNpmSpec } from './npm-specs.ts';
import { type LockedNode, markReach } from './reach.ts';
import { type LockedPackage, PackageList } from './types.ts';

interface YarnEntry {
  specs: string[];
  version: string | null;
  resolution: string | null;
  resolved: string | null;
  needs: { name: string; range: string; optional: boolean }[];
  // Dependencies that may be missing, which the later form lists apart.
  mayMiss: Set<string>;
}

const WORKSPACE = '@workspace:';

// `needs` are what the manifests of the project name: the older form does not list the project, the later one does not
// tell its development dependencies apart. `shown` are needs of the project that are known besides.
export function readYarnLock(
  text: string,
  needs: readonly NpmNeed[] = [],
  shown: readonly NpmNeed[] = [],
): PackageList {
  const list = new PackageList('npm');
  const entries = entriesOf(text);
  const isOwn = ({ resolution }: YarnEntry) => resolution?.includes(WORKSPACE) === true;
  const bySpec = new Map<string, string>();
  const only = new Map<string, string | null>();
  const nodes = new Map<string, LockedNode>();
  for (const entry of entries.filter((one) => !isOwn(one))) {
    const locked = yarnCopy(list, entry);
    const key = entry.specs[0] ?? '';
    if (!locked || nodes.has(key)) continue;
    nodes.set(key, { locked, needs: [] });
    for (const spec of entry.specs) {
      bySpec.set(spec, key);
      bySpec.set(spec.split('::', 1)[0] ?? '', key);
      // Where the project overrides a range, a package that is there once is the one that is meant.
      const name = spec.slice(0, spec.indexOf('@', 1));
      only.set(name, only.has(name) && only.get(name) !== key ? null : key);
    }
  }
  const find = (name: string, range: string) =>
    bySpec.get(`${name}@${range}`) ?? bySpec.get(`${name}@npm:${range}`) ?? only.get(name) ?? null;
  for (const entry of entries) {
    const node = nodes.get(entry.specs[0] ?? '');
    for (const need of entry.needs) {
      const found = find(need.name, need.range);
      if (node && found !== null)
        node.needs.push({ node: found, optional: need.optional || entry.mayMiss.has(need.name) });
    }
  }
  const named = [...entries.filter(isOwn).flatMap(workspaceNeeds)];
  const told = new Map(needs.map((need) => [`${need.workspace}\n${need.installedAs}`, need]));
  const roots = [...(named.length > 0 ? named : needs), ...shown].flatMap(({ workspace, installedAs, spec }) => {
    const node = find(installedAs, spec);
    const locked = node === null ? undefined : nodes.get(node)?.locked;
    if (node === null || !locked) return [];
    list.name(workspace, installedAs, locked);
    const need = told.get(`${workspace}\n${installedAs}`);
    return [{ node, dev: need?.dev ?? null, optional: need?.optional ?? false }];
  });
  if (named.length > 0 || needs.length > 0) {
    list.knowsDirect();
    markReach(nodes, roots);
  }
  return list;
}

type NamedNeed = Pick<NpmNeed, 'workspace' | 'installedAs' | 'spec'>;

function workspaceNeeds({ resolution, needs }: YarnEntry): NamedNeed[] {
  const text = resolution ?? '';
  const folder = text.slice(text.indexOf(WORKSPACE) + WORKSPACE.length);
  const workspace = folder === '.' ? '' : folder;
  return needs.map(({ name, range }) => ({ workspace, installedAs: name, spec: range }));
}

function yarnCopy(list: PackageList, { specs, version, resolution, resolved }: YarnEntry): LockedPackage | null {
  const spec = specs[0] ?? '';
  const text = resolution ?? spec;
  const at = text.indexOf('@', 1);
  if (at === -1) return null;
  const range = text.slice(at + 1);
  // What follows `::` says for which workspace a folder was read.
  const other = elsewhere(range.split('::', 1)[0] ?? '') ?? (resolution === null ? elsewhere(resolved ?? '') : null);
  if (other) {
    const exact = elsewhere(resolved ?? '') ?? other;
    const isPlaceholder = version === null || version === '0.0.0-use.local';
    return list.add(text.slice(0, at), isPlaceholder ? shortRef(exact.ref) : version, exact);
  }
  const name = range.startsWith('npm:') ? readNpmSpec(text)?.name : text.slice(0, at);
  return list.add(name, version);
}

function specsOf(key: string): string[] {
  return key.split(',').map((spec) => spec.trim().replace(/^"|"$/g, ''));
}

// The pieces of one side of a diff, beside the lines of its other side. What the project asks for is often shown in another
// piece than the package.
export function readYarnPieces(
  pieces: readonly (readonly string[])[],
  otherSide: readonly string[],
  needs: readonly NpmNeed[],
): PackageList[] {
  const isLater = pieces.some((lines) => lines.some((line) => LATER_FIELD.test(line)));
  const known = new Set(headerSpecs(otherSide));
  const asked = new Set(pieces.flatMap((lines) => (isLater ? requestsOfProject(lines) : lines.flatMap(requestIn))));
  // The later form lists the project among the packages. The older one does not, but a diff shows every line that changed: a
  // spec that came or went with a package is shown with its request, so one without a request is the project's.
  const isOfProject = (spec: string) => (isLater ? asked.has(spec) : !known.has(spec) && !asked.has(spec));
  const lists = pieces.map((lines) => {
    const shown = headerSpecs(lines).filter(isOfProject).map(needOfProject);
    return readYarnLock(lines.join('\n'), needs, shown);
  });
  if (isLater) lists.push(pinnedPackages([...asked].filter((spec) => !known.has(spec))));
  return lists;
}

// An exact version says which copy the project has, also where others keep the copy and the diff does not show it.
function pinnedPackages(specs: readonly string[]): PackageList {
  const list = new PackageList('npm');
  for (const { installedAs, spec } of specs.map(needOfProject)) {
    const [, version] = /^npm:(\d+\.\d+\.\d+[\w.+-]*)$/.exec(spec) ?? [];
    const locked = version === undefined ? null : list.add(installedAs, version);
    if (locked) list.name('', installedAs, locked);
  }
  return list;
}

const LATER_FIELD = /^ {2}(?:resolution|checksum|languageName|linkType): /;

// What the entries of a workspace ask for. Where a piece begins inside an entry, its end tells what it is.
function requestsOfProject(lines: readonly string[]): string[] {
  const found: string[] = [];
  let requests: string[] = [];
  let isWorkspace = false;
  for (const line of [...lines, '']) {
    if (/^ {4}/.test(line)) requests.push(...requestIn(line));
    else if (/^ {2}(?:resolution: .*@workspace:|languageName: unknown$)/.test(line)) isWorkspace = true;
    else if (!line.startsWith(' ')) {
      if (isWorkspace) found.push(...requests);
      requests = [];
      isWorkspace = line.includes(WORKSPACE);
    }
  }
  return found;
}

function headerSpecs(lines: readonly string[]): string[] {
  return lines.flatMap((line) => (/^[^\s#].*:$/.test(line) ? specsOf(line.slice(0, -1)) : []));
}

const REQUEST = /^ +"?([^"\s:]{1,214})"?:? "?([^"]{1,500})"?$/;

function requestIn(line: string): string[] {
  const [, name, range] = REQUEST.exec(line) ?? [];
  return name === undefined ? [] : [`${name}@${range}`];
}

function needOfProject(spec: string): NpmNeed {
  const at = spec.indexOf('@', 1);
  return { workspace: '', installedAs: spec.slice(0, at), spec: spec.slice(at + 1), dev: false, optional: false };
}

function entriesOf(text: string): YarnEntry[] {
  const entries: YarnEntry[] = [];
  for (const { indent, key, value, path } of blockLines(text)) {
    const entry = entries.at(-1);
    if (indent === 0) {
      entries.push({
        specs: specsOf(key),
        version: null,
        resolution: null,
        resolved: null,
        needs: [],
        mayMiss: new Set(),
      });
    } else if (entry && path.length === 1) {
      if (key === 'version') entry.version = value;
      else if (key === 'resolution') entry.resolution = value;
      else if (key === 'resolved') entry.resolved = value;
    } else if (entry && path.length === 2) {
      const [, block = ''] = path;
      if (/^(?:dev|optional)?dependencies$/i.test(block)) {
        entry.needs.push({ name: key, range: value, optional: /^optional/i.test(block) });
      }
    } else if (entry && path.length === 3 && path[1] === 'dependenciesMeta' && key === 'optional') {
      if (value === 'true') entry.mayMiss.add(path[2] ?? '');
    }
  }
  return entries;
}
