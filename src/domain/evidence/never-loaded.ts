// Declarations may promise a value that the script never had: `export *` from a module that exports it as a type alone.
// Nobody who loaded it has lost anything when they say so.
import type { Evidence, Finding } from './finding.ts';
import type { PackageFiles } from './package-files.ts';
import { Scripts } from './plain-names.ts';

export function hasTypeOnly({ findings }: Evidence): boolean {
  return findings.some(isTypeOnly);
}

// `scripts`: the version before, with its scripts for texts.
export function withoutNeverLoaded<T extends Evidence>(evidence: T, scripts: PackageFiles): T {
  const read = new Scripts(scripts);
  const isNever = (finding: Finding) => isTypeOnly(finding) && isNeverLoaded(read, finding);
  const findings = evidence.findings.filter((finding) => !isNever(finding));
  const proven = evidence.counts.proven - (evidence.findings.length - findings.length);
  return { ...evidence, findings, counts: { ...evidence.counts, proven } };
}

function isTypeOnly({ kind }: Finding): boolean {
  return kind === 'became_type_only';
}

// Only a script whose names are all known can tell. A default export is called by the name of what it is.
function isNeverLoaded(scripts: Scripts, { subpath, name }: Finding): boolean {
  const loaded = scripts.names(subpath);
  if (loaded === null || loaded.isOpen || loaded.names.size === 0 || loaded.names.has('default')) return false;
  return !name.includes('.') && !loaded.names.has(name);
}
