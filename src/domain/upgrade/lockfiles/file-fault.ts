// Why a file cannot be read, with the line to look at.
import { TomlError } from 'smol-toml';
import { tomlErrorOf } from '../toml.ts';
import { jsonFault } from './json-fault.ts';
import { plainJson } from './json-text.ts';
import { formatNamed } from './read.ts';

export interface FileFault {
  line: number;
  // A sentence that begins with the line.
  text: string;
}

interface FaultyFile {
  filename?: string;
  text: string;
}

// Null when there is nothing to point at, because the text is of no known kind.
export function faultOf({ filename, text }: FaultyFile): FileFault | null {
  const plain = text.replace(/^\ufeff/, '');
  const conflict = /^(?:<{7}|>{7})(?: |$)/m.exec(plain);
  if (conflict) return fault(lineAt(plain, conflict.index), 'is the mark of a merge conflict that is not resolved');
  const format = formatNamed(filename ?? '');
  const looksLikeJson = /^\s*\{/.test(plain);
  if (looksLikeJson || format?.endsWith('.json')) {
    // Comments and last commas are allowed where Bun writes them.
    const found = jsonFault(format === 'bun.lock' ? plainJson(plain) : plain);
    return found && fault(lineAt(plain, found.at), `is not JSON: ${found.text}`);
  }
  const isToml = format === 'uv.lock' || format === 'poetry.lock' || format === 'pdm.lock';
  if (!isToml && !/^\[\[package\]\]/m.test(plain.slice(0, 4000))) return null;
  const error = tomlErrorOf(plain);
  return error instanceof TomlError ? fault(error.line, 'is not TOML') : null;
}

function fault(line: number, text: string): FileFault {
  return { line, text: `Line ${line} ${text}.` };
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return line;
}
