// What the metadata of a Python package demands and offers: the Python it needs, its extras, its commands.
import type { Found } from '../finding.ts';

export interface PythonMetadata {
  name: string;
  version: string;
  requiresPython: string | null;
  // Normalized names.
  extras: readonly string[];
  // Null where they are made only when it is installed.
  commands: readonly string[] | null;
}

const MAX_HEAD = 200_000;

export function readMetadata(metadata: string, entryPoints: string | null): PythonMetadata {
  const head = metadata.slice(0, MAX_HEAD).split(/\r?\n\r?\n/)[0] ?? '';
  const values = (field: string) =>
    [...head.matchAll(new RegExp(`^${field}:[ \\t]*(.*)$`, 'gim'))].map(([, value = '']) => value.trim());
  const [name = ''] = values('Name');
  const [version = ''] = values('Version');
  const [requires = ''] = values('Requires-Python');
  return {
    name,
    version,
    requiresPython: requires || null,
    extras: [...new Set(values('Provides-Extra').map(normalized))],
    commands: entryPoints === null ? null : commandsOf(entryPoints),
  };
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

function commandsOf(entryPoints: string): string[] {
  const commands: string[] = [];
  let section = '';
  for (const line of entryPoints.slice(0, MAX_HEAD).split(/\r?\n/)) {
    const text = line.trim();
    if (text.startsWith('[')) section = text;
    else if (/^\[(?:console|gui)_scripts\]$/.test(section) && /^[^=#;]+=/.test(text)) {
      commands.push(text.slice(0, text.indexOf('=')).trim());
    }
  }
  return commands;
}

// Extras that only those who develop the package install.
const OF_DEVELOPERS =
  /^(?:dev|develop|development|docs?|documentation|tests?|testing|lint|linting|style|flake8|mypy|typing|types|cov|coverage|bench|benchmarks?|ci|check|release|build|tox|pytest|examples?)(?:-.*)?$/;

export function metadataFindings(old: PythonMetadata, next: PythonMetadata): Found[] {
  const found: Found[] = [];
  const [was, is] = [old.requiresPython, next.requiresPython];
  if (is !== null && isRaised(was, is)) {
    const [before, after] = [lowestPython(was ?? ''), lowestPython(is)];
    const text =
      after === null
        ? `needs Python ${is}`
        : `needs Python ${shown(after)}${before === null ? '' : ` (${shown(before)} before)`}`;
    found.push({ kind: 'engines_raised', name: 'requires-python', subpath: '', certainty: 'proven', was, is, text });
  }
  for (const extra of old.extras) {
    if (next.extras.includes(extra) || OF_DEVELOPERS.test(extra)) continue;
    const text = `the extra \`${extra}\` is gone`;
    found.push({ kind: 'extra_removed', name: extra, subpath: '', certainty: 'proven', was: extra, is: null, text });
  }
  for (const command of (next.commands && old.commands) ?? []) {
    if (next.commands?.includes(command)) continue;
    const text = `the command \`${command}\` is gone`;
    found.push({ kind: 'bin_removed', name: command, subpath: '', certainty: 'proven', was: command, is: null, text });
  }
  return found;
}

type PythonVersion = readonly [major: number, minor: number];

// The lowest Python that the text allows; null when it names none.
function lowestPython(requires: string): PythonVersion | null {
  let lowest: PythonVersion | null = null;
  for (const part of requires.split(',')) {
    const [, sign = '', major = '', minor = '0'] = /^\s*(>=|~=|==|>)\s*(\d+)(?:\.(\d+))?/.exec(part) ?? [];
    if (sign === '') continue;
    const version = [Number(major), Number(minor)] as const;
    if (lowest === null || isLower(lowest, version)) lowest = version;
  }
  return lowest;
}

function isLower(a: PythonVersion, b: PythonVersion): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

function isRaised(was: string | null, is: string): boolean {
  const [before, after] = [lowestPython(was ?? ''), lowestPython(is)];
  if (after === null) return false;
  return before === null || isLower(before, after);
}

function shown([major, minor]: PythonVersion): string {
  return `${major}.${minor}`;
}
