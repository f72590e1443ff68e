// Why a file cannot be read, with the line to look at.
import { TomlError } from 'smol-toml';
import { tomlErrorOf } from '../toml.ts';
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

// The first place at which a text stops being JSON, in words for the person who pasted it. One pass, without recursion.

interface JsonFault {
  at: number;
  text: string;
}

const TOKEN = /\s+|[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'key' | 'colon' | 'comma' | 'end';

// Null for a text that is JSON.
function jsonFault(text: string): JsonFault | null {
  const open: string[] = [];
  let expected: Expected = 'value';
  let [last, lastAt, key] = ['', 0, ''];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return { at, text: strange(text, at) };
    if (token.trim() !== '') {
      const next = follow(expected, token, { open, last });
      if (next === null) return refused({ expected, token, at, lastAt, key });
      if (expected === 'key' && token !== '}') key = token;
      expected = next;
      [last, lastAt] = [token, at];
    }
    at += token.length;
  }
  return expected === 'end' ? null : { at: lastAt, text: 'the text ends before its last bracket is closed' };
}

// What has to follow; null when the token may not stand here.
function follow(expected: Expected, token: string, { open, last }: { open: string[]; last: string }): Expected | null {
  const isText = token.startsWith('"');
  if (expected === 'colon') return token === ':' ? 'value' : null;
  if (expected === 'key') return isText ? 'colon' : token === '}' && last === '{' ? closed(open, '{') : null;
  if (expected === 'comma') {
    if (token === ',') return open.at(-1) === '{' ? 'key' : 'value';
    if (token === '}') return closed(open, '{');
    return token === ']' ? closed(open, '[') : null;
  }
  if (expected === 'end') return null;
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'key' : 'value';
  }
  if (token === ']' && last === '[') return closed(open, '[');
  return /^[}\],:]/.test(token) ? null : open.length > 0 ? 'comma' : 'end';
}

function closed(open: string[], bracket: string): Expected | null {
  if (open.pop() !== bracket) return null;
  return open.length > 0 ? 'comma' : 'end';
}

interface Refused {
  expected: Expected;
  token: string;
  at: number;
  lastAt: number;
  key: string;
}

function refused({ expected, token, at, lastAt, key }: Refused): JsonFault {
  const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
  if (expected === 'comma' && /^["{[\d]/.test(token)) {
    const behind = key === '' ? '' : ` after “${key.slice(1, -1).slice(0, 60)}”`;
    return { at: lastAt, text: `a comma is missing${behind}` };
  }
  if (expected === 'colon') return { at: lastAt, text: `a colon is missing after ${shownKey(key)}` };
  if (/^[}\]]/.test(token)) return { at, text: `there is a comma too many before “${token}”, or a bracket too many` };
  if (expected === 'end') return { at, text: `there is more text behind its end` };
  return { at, text: `“${shown.replaceAll('"', '')}” is not expected there` };
}

function shownKey(key: string): string {
  return `“${key.slice(1, -1).slice(0, 60)}”`;
}

function strange(text: string, at: number): string {
  if (text[at] === '"') return 'a text is not closed';
  const word = /^\S{1,20}/.exec(text.slice(at, at + 20))?.[0] ?? '';
  return `“${word}” is not expected there`;
}
