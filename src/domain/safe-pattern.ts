// Patterns that an operator writes run on untrusted text inside the write path, so they are matched by an automaton in
// time linear in the text. Back references and look-around have no such form and are refused.
import { RE2JS } from 're2js';

const MAX_PATTERN = 200;
// Matching a text costs at most this number of steps a character. Counted repeats are written out, so `x{1000}` is long.
const MAX_PROGRAM = 2_000;
// Only this much of a text is matched; titles, addresses and tags are shorter.
const MAX_TEXT = 4_096;
const MAX_CACHED = 1_000;

export interface Pattern {
  readonly source: string;
  test(text: string): boolean;
}

type PatternCheck = { ok: true; pattern: Pattern } | { ok: false; reason: string };

const cache = new Map<string, PatternCheck>();

// Compiles a pattern that ignores case and may match anywhere in the text.
export function compilePattern(source: string): PatternCheck {
  const known = cache.get(source);
  if (known) return known;
  const check = compile(source);
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
  cache.set(source, check);
  return check;
}

interface CompiledPatterns {
  patterns: Pattern[];
  // Stored patterns that are not, or no longer, accepted.
  unreadable: string[];
}

// Compiles stored patterns; those that cannot be compiled are reported and not applied.
export function compilePatterns(sources: readonly string[] = []): CompiledPatterns {
  const compiled: CompiledPatterns = { patterns: [], unreadable: [] };
  for (const source of sources) {
    const check = compilePattern(source);
    if (check.ok) compiled.patterns.push(check.pattern);
    else compiled.unreadable.push(source);
  }
  return compiled;
}

function compile(source: string): PatternCheck {
  if (source.length === 0 || source.length > MAX_PATTERN) {
    return { ok: false, reason: `must have 1 to ${MAX_PATTERN} characters` };
  }
  let program: RE2JS;
  try {
    program = RE2JS.compile(RE2JS.translateRegExp(source), RE2JS.CASE_INSENSITIVE);
  } catch {
    return { ok: false, reason: reasonOf(source) };
  }
  if (program.programSize() > MAX_PROGRAM)
    return { ok: false, reason: 'repeats too often: lower the counts in braces' };
  return { ok: true, pattern: { source, test: (text) => program.test(text.slice(0, MAX_TEXT)) } };
}

function reasonOf(source: string): string {
  if (/\(\?<?[=!]/.test(source)) return 'look-around is not supported: use an allow and a deny pattern instead';
  if (/\\[1-9k]/.test(source)) return 'back references are not supported';
  return 'is not a regular expression that can be matched in linear time (RE2 syntax)';
}
