// Declarations may promise a value that the script never had: `export *` from a module that exports it as a type alone, or a
// constant beside the default. Nobody who loaded it has lost anything when they say so.
import type { Evidence, Finding } from './finding.ts';
import type { PackageFiles } from './package-files.ts';
import { Scripts } from './plain-names.ts';

// Whether scripts may have a word in it.
export function losesValues({ findings }: Evidence): boolean {
  return findings.some(isLostValue);
}

// `scripts`: the version before, with its scripts for texts.
export function withoutNeverLoaded<T extends Evidence>(evidence: T, scripts: PackageFiles): T {
  const read = new Scripts(scripts);
  const findings = evidence.findings.filter((finding) => !isLostValue(finding) || !isNeverLoaded(read, finding));
  const proven = evidence.counts.proven - (evidence.findings.length - findings.length);
  return { ...evidence, findings, counts: { ...evidence.counts, proven } };
}

// Classes, enums and namespaces are types as well, which are lost whatever the script has.
function isLostValue({ kind, certainty, was }: Finding): boolean {
  if (kind === 'became_type_only') return true;
  return kind === 'export_removed' && certainty === 'proven' && (was === 'constant' || was === 'function');
}

// Only a script whose names are all known can tell.
function isNeverLoaded(scripts: Scripts, { kind, subpath, name }: Finding): boolean {
  const loaded = scripts.names(subpath);
  if (loaded === null || loaded.isOpen || loaded.names.size === 0) return false;
  // A default export that became a type is called by the name of what it is.
  if (kind === 'became_type_only' && (loaded.names.has('default') || name.includes('.'))) return false;
  return !loaded.names.has(name);
}
