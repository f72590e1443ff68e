// Operator patterns run on untrusted text, so only shapes that cannot backtrack without bound are accepted.
const MAX_PATTERN = 200;

export type PatternCheck = { ok: true; pattern: RegExp } | { ok: false; reason: string };

export function compilePattern(source: string): PatternCheck {
  if (source.length === 0 || source.length > MAX_PATTERN) {
    return { ok: false, reason: `must have 1 to ${MAX_PATTERN} characters` };
  }
  if (/\\[1-9k]|\(\?(?!:)/.test(source))
    return { ok: false, reason: 'no back references, look-around or named groups' };
  if (hasNestedRepeat(source)) return { ok: false, reason: 'no repeated group that holds a repeat or an alternative' };
  try {
    return { ok: true, pattern: new RegExp(source, 'iu') };
  } catch {
    return { ok: false, reason: 'is not a regular expression' };
  }
}

// A quantified group with a quantifier or an alternative inside is what makes matching explode.
function hasNestedRepeat(source: string): boolean {
  const open: { risky: boolean }[] = [];
  let closed: { risky: boolean } | null = null;
  let inClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const char = source[index];
    const before = closed;
    closed = null;
    if (char === '\\') index += 1;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') open.push({ risky: false });
    else if (char === ')') closed = open.pop() ?? null;
    else if (char === '|') mark(open);
    else if (char === '*' || char === '+' || char === '{') {
      if (before?.risky) return true;
      mark(open);
    }
    if (closed?.risky) mark(open);
  }
  return false;
}

function mark(open: { risky: boolean }[]): void {
  const top = open.at(-1);
  if (top) top.risky = true;
}
