// Which calls a changed signature concerns, by how many arguments they have.
import type { Finding } from '../evidence/finding.ts';

type Signature = Pick<Finding, 'kind' | 'text' | 'was' | 'is'>;

// How a name is used where it stands: called or made with `new`. `given`: its arguments; null when they cannot be counted.
export interface Call {
  how: 'called' | 'made';
  given: number | null;
}

// Whether a call may be one of those that no longer work.
export function concernsCall({ kind, text, was, is }: Signature, { how, given }: Call): boolean {
  if (text.endsWith('can no longer be called')) return how === 'called';
  if (text.endsWith('can no longer be made with new')) return how === 'made';
  if (given === null) return true;
  const [old, next] = [parametersOf(was), parametersOf(is)];
  if (old && given < old.least) return false;
  // What is told is the form with the fewest arguments; the call may be one of the others.
  if (/; \d+ more forms? changed$/.test(text)) return true;
  if (kind === 'parameter_required') return next === null || given < next.least;
  if (kind !== 'parameter_narrowed') return true;
  const [, verb, name = ''] = /(no longer takes|takes less as) `([^`]+)`$/.exec(text) ?? [];
  const position = (verb === 'takes less as' ? next : old)?.names.indexOf(name) ?? -1;
  return position < 0 || given > position;
}

interface Parameters {
  names: string[];
  // The fewest arguments of a call.
  least: number;
}

const OPENING = '([{<';
const CLOSING = ')]}>';

// The parameters of a signature as the compiler writes it: `a.b<T>(x: string, y?: (z: T) => void): T`. Null for one that was cut.
function parametersOf(signature: string | null): Parameters | null {
  const parts: string[] = [];
  let depth = 0;
  let start = -1;
  const text = signature ?? '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfText(text, at);
    else if (OPENING.includes(character)) {
      if (depth === 0 && character === '(') start = at + 1;
      depth += 1;
    } else if (CLOSING.includes(character) && !(character === '>' && text.charAt(at - 1) === '=')) {
      depth -= 1;
      if (depth > 0 || start < 0) continue;
      parts.push(text.slice(start, at));
      return described(parts);
    } else if (character === ',' && depth === 1 && start >= 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return null;
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at;
  }
  return text.length;
}

function described(parts: readonly string[]): Parameters {
  const written = parts.map((part) => part.trim()).filter((part) => part !== '' && !part.startsWith('this:'));
  const names = written.map((part) => /^(?:\.\.\.)?([\w$]+)/.exec(part)?.[1] ?? '');
  const isNeeded = (part: string) => !part.startsWith('...') && !/^(?:[\w$]+|\{.*\}|\[.*\])\?:/.test(part);
  return { names, least: written.filter(isNeeded).length };
}
