// uv.lock, poetry.lock and pdm.lock.
import { normalizePackageName } from '../../published-package.ts';
import { parseToml } from '../toml.ts';
import { type JsonObject, objectOf } from './json-text.ts';
import { shortRef } from './npm.ts';
import { type LockedNode, markReach } from './reach.ts';
import { requirementName } from './requirements.ts';
import { type LockedPackage, PackageList, type PackageSource } from './types.ts';

interface TomlEntry {
  entry: JsonObject;
  locked: LockedPackage;
  key: string;
}

// `needs` are what the manifest of the project names; only uv.lock also lists the project and its dependencies.
export function readTomlLock(text: string, needs: readonly PythonNeed[] = []): PackageList | null {
  const document = parseToml(text);
  if (document === null) return null;
  const list = new PackageList('pypi');
  const packages = objectsOf(document.package);
  const members = new Set(namesIn(objectOf(document.manifest)?.members));
  const own = packages.filter((entry) => isOwn(entry, members));
  const entries = packages.flatMap((entry, index): TomlEntry[] => {
    const locked = own.includes(entry) ? null : tomlCopy(list, entry);
    return locked ? [{ entry, locked, key: String(index) }] : [];
  });
  const byName = new Map<string, TomlEntry[]>();
  for (const one of entries) {
    const name = normalizePackageName('pypi', one.locked.name);
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  const found = ({ name, version }: Pick<Need, 'name' | 'version'>): TomlEntry[] => {
    const copies = byName.get(normalizePackageName('pypi', name)) ?? [];
    const exact = copies.filter(({ locked }) => locked.version === version);
    return exact.length > 0 ? exact : copies;
  };
  const nodes = new Map<string, LockedNode>(
    entries.map(({ entry, locked, key }) => {
      const needed = needsOf(entry).flatMap((need) =>
        found(need).map((one) => ({ node: one.key, optional: need.optional })),
      );
      return [key, { locked, needs: needed }];
    }),
  );
  const roots = (own.length > 0 ? own.flatMap(ownNeeds) : needs).flatMap((need) =>
    found(need).map(({ key, locked }) => {
      list.name(need.workspace, normalizePackageName('pypi', need.name), locked);
      return { node: key, dev: need.dev, optional: need.optional };
    }),
  );
  if (roots.length > 0 || own.length > 0) {
    list.knowsDirect();
    markReach(nodes, roots);
  }
  markGroups(entries, needs);
  return list;
}

interface Need extends PythonNeed {
  version?: string;
}

// In uv.lock, the project and its workspaces. Other folders are dependencies, unless the file lists no workspaces at all.
function isOwn({ name, source }: JsonObject, members: ReadonlySet<string>): boolean {
  const { virtual, editable, directory } = objectOf(source) ?? {};
  if (virtual !== undefined) return true;
  const folder = editable ?? directory;
  return folder !== undefined && (folder === '.' || (typeof name === 'string' && members.has(name)));
}

// What the project or a workspace names: dependencies, extras, and the groups that only development needs.
function ownNeeds(entry: JsonObject): Need[] {
  const workspace = typeof entry.name === 'string' ? entry.name : '';
  const listed = (value: unknown, dev: boolean, optional: boolean): Need[] =>
    objectsOf(value).flatMap(({ name, version }) =>
      typeof name === 'string'
        ? [{ workspace, name, dev, optional, ...(typeof version === 'string' ? { version } : {}) }]
        : [],
    );
  const groups = (value: unknown, dev: boolean) =>
    Object.values(objectOf(value) ?? {}).flatMap((group) => listed(group, dev, !dev));
  return [
    ...listed(entry.dependencies, false, false),
    ...groups(entry['optional-dependencies'], false),
    ...groups(entry['dev-dependencies'], true),
  ];
}

// What a package needs: tables in uv.lock, keys in poetry.lock, texts in pdm.lock.
function needsOf(entry: JsonObject): (Pick<Need, 'name' | 'version'> & { optional: boolean })[] {
  const { dependencies } = entry;
  if (Array.isArray(dependencies)) {
    const texts = dependencies.flatMap((one) => (typeof one === 'string' ? [requirementName(one) ?? ''] : []));
    return [...ownNeeds(entry), ...texts.map((name) => ({ name, optional: false }))];
  }
  return Object.entries(objectOf(dependencies) ?? {}).map(([name, value]) => ({
    name,
    optional: objectOf(value)?.optional === true,
  }));
}

// The groups that name a package tell what only development needs, where the file has them.
function markGroups(entries: readonly TomlEntry[], needs: readonly PythonNeed[]): void {
  const extras = new Set(needs.flatMap(({ group, optional }) => (optional && group ? [group] : [])));
  for (const { entry, locked } of entries) {
    const groups = namesIn(entry.groups);
    if (groups.length > 0) {
      locked.dev = !groups.some((group) => group === 'main' || group === 'default' || extras.has(group));
    } else if (typeof entry.category === 'string') locked.dev = entry.category === 'dev';
    if (typeof entry.optional === 'boolean') locked.optional = entry.optional;
  }
}

function tomlCopy(list: PackageList, entry: JsonObject): LockedPackage | null {
  const { source, ref } = sourceOf(entry);
  const version = entry.version ?? (ref === null ? null : shortRef(ref));
  return list.add(entry.name, version, { source, ref });
}

function sourceOf(entry: JsonObject): { source: PackageSource; ref: string | null } {
  const table = objectOf(entry.source) ?? {};
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  // poetry.lock
  if (table.type === 'git') {
    const commit = text(table.resolved_reference) ?? text(table.reference) ?? '';
    return { source: 'git', ref: `${text(table.url) ?? ''}#${commit}` };
  }
  if (table.type === 'directory' || table.type === 'file') return { source: 'file', ref: text(table.url) };
  if (table.type === 'url') return { source: 'url', ref: text(table.url) };
  // uv.lock
  const folder = text(table.directory) ?? text(table.editable) ?? text(table.path) ?? text(table.virtual);
  if (text(table.git) !== null) return { source: 'git', ref: text(table.git) };
  if (folder !== null) return { source: 'file', ref: folder };
  if (text(table.url) !== null && table.type === undefined) return { source: 'url', ref: text(table.url) };
  // pdm.lock
  if (text(entry.git) !== null) return { source: 'git', ref: `${entry.git}#${text(entry.revision) ?? ''}` };
  if (text(entry.path) !== null) return { source: 'file', ref: text(entry.path) };
  return text(entry.url) === null ? { source: 'registry', ref: null } : { source: 'url', ref: text(entry.url) };
}

function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== null) : [];
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

// What the manifest of a Python project names: its dependencies, extras and groups.

interface PythonNeed {
  workspace: string;
  name: string;
  dev: boolean;
  optional: boolean;
  // The extra or group that names it.
  group?: string;
}

export function pyprojectNeeds(text: string): PythonNeed[] {
  const document = parseToml(text);
  const project = objectOf(document?.project) ?? {};
  const tool = objectOf(document?.tool) ?? {};
  const poetry = objectOf(tool.poetry) ?? {};
  const groups = Object.entries(objectOf(poetry.group) ?? {}).map(([group, value]): [string, unknown] => [
    group,
    objectOf(value)?.dependencies,
  ]);
  return [
    ...listed(project.dependencies, { dev: false, optional: false }),
    ...grouped(project['optional-dependencies'], { dev: false, optional: true }),
    ...grouped(document?.['dependency-groups'], { dev: true, optional: false }),
    ...grouped(objectOf(tool.pdm)?.['dev-dependencies'], { dev: true, optional: false }),
    ...listed(objectOf(tool.uv)?.['dev-dependencies'], { dev: true, optional: false }),
    ...keys(poetry.dependencies, { dev: false, optional: false }),
    ...keys(poetry['dev-dependencies'], { dev: true, optional: false }),
    ...groups.flatMap(([group, value]) => keys(value, { dev: group !== 'main', optional: false, group })),
  ];
}

type Kind = Pick<PythonNeed, 'dev' | 'optional' | 'group'>;

function listed(value: unknown, kind: Kind): PythonNeed[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const name = typeof one === 'string' ? requirementName(one) : null;
    return name === null ? [] : [{ workspace: '', name, ...kind }];
  });
}

function grouped(value: unknown, kind: Kind): PythonNeed[] {
  return Object.entries(objectOf(value) ?? {}).flatMap(([group, list]) => listed(list, { ...kind, group }));
}

// Poetry writes its dependencies as keys, and the version of Python among them.
function keys(value: unknown, kind: Kind): PythonNeed[] {
  return Object.entries(objectOf(value) ?? {}).flatMap(([name, spec]) => {
    if (name.toLowerCase() === 'python') return [];
    return [{ workspace: '', name, ...kind, optional: kind.optional || objectOf(spec)?.optional === true }];
  });
}
