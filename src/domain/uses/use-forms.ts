// Which uses of a name a change concerns: calls by how many arguments they have, and what is no call at all.
import type { Finding } from '../evidence/finding.ts';

type Signature = Pick<Finding, 'kind' | 'text' | 'was' | 'is'>;

const LESS = /(no longer takes|takes less as) `([^`]+)`/;
const OF_CALLS: ReadonlySet<string> = new Set(['parameter_required', 'parameter_narrowed', 'result_changed']);

// How a name is used where it stands: called, made with `new`, tested by `instanceof`, named in a type, or a member of it is
// read. `given`: the arguments of a call; null when they cannot be counted.
export interface UseForm {
  how: 'called' | 'made' | 'tested' | 'typed' | 'read';
  given: number | null;
}

// Whether such a use may be one of those that no longer work.
export function concernsForm(asked: Signature, { how, given }: UseForm): boolean {
  const { kind, text, was, is } = asked;
  if (text.endsWith('can no longer be called')) return how === 'called';
  if (text.endsWith('can no longer be made with new')) return how === 'made';
  if (kind === 'became_type_only') return how !== 'typed';
  if (!OF_CALLS.has(kind)) return true;
  if (how === 'tested' || how === 'read') return false;
  if (how === 'typed') return kind === 'result_changed' || !isConstructor(asked);
  if (given === null) return true;
  const [old, next] = [parametersOf(was), parametersOf(is)];
  if (old && given < old.least) return false;
  const [, verb, name = ''] = LESS.exec(text) ?? [];
  const position = (verb === 'takes less as' ? next : old)?.names.indexOf(name) ?? -1;
  if (kind === 'parameter_narrowed' && given <= position) return false;
  // What is told is the form that is lost with the fewest arguments; the call may be one of the others.
  return (
    kind !== 'parameter_required' || /; \d+ more forms? changed$/.test(text) || next === null || given < next.least
  );
}

// `new A(…)` gives an `A`. Any other name may be that of a type, whose values are written where the type is named.
function isConstructor({ was }: Signature): boolean {
  const [, made] = /^(?:[\w$]+\.)*([\w$]+)/.exec(was ?? '') ?? [];
  const result = (was ?? '').split(': ').at(-1) ?? '';
  return made !== undefined && /^[\w$]+/.exec(result)?.[0] === made;
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
