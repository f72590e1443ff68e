// What a project does with a changed name of a Python package, by the finding that names it.
import type { Finding } from '../evidence/finding.ts';
import type { ProjectUses, SourceFile } from './project.ts';
import { readPythonFile } from './python-file.ts';
import { GIVEN, type PythonCall, type PythonFileUses } from './python-noted.ts';
import { makeUse, type Place, type Use } from './use.ts';

const known = new WeakMap<SourceFile, PythonFileUses | null>();

interface ReadFile {
  file: string;
  uses: PythonFileUses;
}

export function pythonFindingUse(uses: ProjectUses, { kind, name, subpath }: Finding): Use {
  // What an installation asks for is not read from sources.
  if (subpath === '') return makeUse('unclear');
  const [top = ''] = subpath.split('.');
  const read = filesNaming(uses.sources, top);
  const files = read.filter((one) => one !== null);
  const isCut = uses.leftOut > 0 || files.length < read.length;
  const isImported = files.some(({ uses }) => uses.touches.some(({ path }) => path[0] === top));
  if (!isImported) {
    const mayLoad = uses.sources.some(
      ({ path, text }) =>
        path.endsWith('.py') && /\b(?:import_module|__import__)\s*\(/.test(text) && text.includes(top),
    );
    return makeUse(isCut || mayLoad ? 'unclear' : 'not_imported');
  }
  const said = kind.startsWith('parameter_')
    ? parameterUse(files, top, name, kind)
    : nameUse(files, subpath, kind === 'subpath_removed' ? '' : name);
  return said ?? makeUse(isCut ? 'unclear' : 'not_used');
}

// Null stands for a file that could not be read.
function filesNaming(sources: readonly SourceFile[], top: string): (ReadFile | null)[] {
  return sources.flatMap((source) => {
    if (!source.path.endsWith('.py') || !source.text.includes(top)) return [];
    const stored = known.get(source);
    const uses = stored === undefined ? readPythonFile(source.text) : stored;
    known.set(source, uses);
    return [uses && { file: source.path, uses }];
  });
}

function nameUse(files: readonly ReadFile[], module: string, name: string): Use | null {
  const parts = name === '' ? [] : name.split('.');
  const wanted = [...module.split('.'), ...parts];
  const isMember = parts.length > 1;
  const isMeant = (path: readonly string[]) =>
    isMember ? isMemberPath(path, wanted[0] ?? '', parts) : isAt(path, wanted);
  const [used, imported, unclear]: [Place[], Place[], Place[]] = [[], [], []];
  for (const { file, uses } of files) {
    for (const { path, line, kind } of uses.touches) {
      if (isMeant(path)) (kind === 'import' ? imported : used).push({ file, line });
    }
    for (const { module: star, line } of uses.stars) if (star === module) unclear.push({ file, line });
    for (const { path, line } of uses.open) {
      if (
        isAt(
          wanted,
          path.filter((part) => part !== GIVEN),
        ) ||
        (isMember && path.includes(parts[0] ?? ''))
      )
        unclear.push({ file, line });
    }
    if (!isMember) continue;
    for (const { name: member, line } of uses.members) if (member === parts.at(-1)) unclear.push({ file, line });
  }
  // A module that is imported is loaded, whether or not it is used.
  if (name === '' && imported.length > 0) return makeUse('used', [...imported, ...used]);
  if (used.length > 0) return makeUse('used', used);
  if (imported.length > 0) return makeUse('imported_not_used', imported);
  return unclear.length > 0 ? makeUse('unclear', unclear) : null;
}

// The path leads to the name, or through it.
function isAt(path: readonly string[], wanted: readonly string[]): boolean {
  return path.length >= wanted.length && wanted.every((part, index) => path[index] === part);
}

// A member of a class or of its instances, by whatever module of the package the class came.
function isMemberPath(path: readonly string[], top: string, [owner = '', ...members]: readonly string[]): boolean {
  if (path[0] !== top) return false;
  const at = path.indexOf(owner);
  if (at < 1) return false;
  const inner = path.slice(at + 1).filter((part, index) => index > 0 || part !== GIVEN);
  return members.every((part, index) => inner[index] === part);
}

function parameterUse(files: readonly ReadFile[], top: string, name: string, kind: Finding['kind']): Use | null {
  const [, called = name, parameter = ''] = /^(.*)\((\w+)\)$/.exec(name) ?? [];
  const parts = called.split('.');
  const [used, unclear]: [Place[], Place[]] = [[], []];
  const isMeant = ({ path }: PythonCall) => {
    if (path[0] !== top) return false;
    if (parts.length > 1) return path.at(-1) === parts.at(-1) && isMemberPath(path, top, parts);
    return path.at(-1) === parts[0] && !path.includes(GIVEN);
  };
  for (const { file, uses } of files) {
    for (const call of uses.calls) {
      if (!isMeant(call)) continue;
      const line = call.named.get(parameter);
      if (kind === 'parameter_removed' || kind === 'parameter_positional_only') {
        if (line !== undefined) used.push({ file, line });
        else if (call.isOpen) unclear.push({ file, line: call.line });
      } else if (line === undefined) {
        // By how many places it is given is told by the signature, not by the name.
        const isSure = kind === 'parameter_required' && call.places === 0 && !call.isOpen;
        (isSure ? used : unclear).push({ file, line: call.line });
      }
    }
    for (const { name: member, named } of parts.length > 1 ? uses.members : []) {
      const line = member === parts.at(-1) ? named.get(parameter) : undefined;
      if (line !== undefined) unclear.push({ file, line });
    }
    for (const { module, line } of uses.stars) if (module.split('.')[0] === top) unclear.push({ file, line });
  }
  if (used.length > 0) return makeUse('used', used);
  return unclear.length > 0 ? makeUse('unclear', unclear) : null;
}
