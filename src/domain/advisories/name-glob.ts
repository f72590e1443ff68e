// Patterns of package names as installers and bots take them: `*` stands for any characters, `!` turns the answer round.
const MAX_LENGTH = 214;

// Null for a pattern that is none, such as an expression between slashes.
export function compileNameGlob(pattern: string): ((name: string) => boolean) | null {
  if (pattern === '' || pattern.length > MAX_LENGTH || pattern.startsWith('/')) return null;
  if (pattern.startsWith('!')) {
    const matches = compileNameGlob(pattern.slice(1));
    return matches && ((name) => !matches(name));
  }
  const parts = pattern.split(/\*+/);
  return (name) => matchesParts(name, parts);
}

// The parts stand in this order; the first one begins the name and the last one ends it.
function matchesParts(name: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
