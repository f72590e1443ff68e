// JSON as servers really send it: with something in front, with raw control characters, or cut off in the middle.

interface JsonReading {
  value: unknown;
  cutOff: boolean;
  notes: string[];
}

const CONTROL = /[\u0000-\u001f]/g;

export function readJson(source: string): JsonReading | null {
  const start = source.indexOf('{');
  if (start < 0) return null;
  const notes = source.slice(0, start).trim() === '' ? [] : ['leading junk skipped'];
  const text = source.slice(start);
  const whole = parsed(text);
  if (whole !== undefined) return { value: whole, cutOff: false, notes };

  // Outside of strings a control character is white space, inside it is a mistake: a space serves both.
  const clean = text.replace(CONTROL, ' ');
  const repaired = parsed(clean);
  if (repaired !== undefined)
    return { value: repaired, cutOff: false, notes: [...notes, 'control characters removed'] };
  const beginning = parsed(completeItems(clean));
  return beginning === undefined ? null : { value: beginning, cutOff: true, notes };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// The text up to the last complete element of a list on the first level, with what is open there closed again.
function completeItems(text: string): string {
  let depth = 0;
  let inString = false;
  let end = 0;
  let closing = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      depth += 1;
      if (char === '[' && depth === 2) [end, closing] = [at + 1, ']}'];
    } else if (char === '}' || char === ']') {
      depth -= 1;
      if (char === '}' && depth === 2) [end, closing] = [at + 1, ']}'];
      if (char === ']' && depth === 1) [end, closing] = [at + 1, '}'];
    }
  }
  return text.slice(0, end) + closing;
}
