// Lists of ignored files as git and npm write them: a pattern a line, the last one that fits decides.

interface IgnoreRule {
  parts: readonly string[];
  isKept: boolean;
  onlyFolders: boolean;
  // Found at any depth, because the pattern has no slash.
  isAnywhere: boolean;
}

const MAX_RULES = 2000;
const MAX_LENGTH = 500;

export function parseIgnoreRules(text: string): IgnoreRule[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?<!\\)\s+$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= MAX_LENGTH)
    .slice(0, MAX_RULES)
    .map(ignoreRule);
}

export function ignoreRule(line: string): IgnoreRule {
  const isKept = line.startsWith('!');
  const written = (isKept ? line.slice(1) : line).replace(/^\\(?=[!#])/, '');
  const onlyFolders = written.endsWith('/');
  const plain = written.replace(/^\.\//, '/').replace(/\/+$/, '');
  return {
    parts: plain.split('/').filter((part) => part !== '' && part !== '.'),
    isKept,
    onlyFolders,
    isAnywhere: !plain.includes('/'),
  };
}

// Null when no rule speaks of the path, which is relative to the folder of the list.
export function ruledOut(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean | null {
  const parts = path.split('/');
  const rule = rules.findLast((one) => (isFolder || !one.onlyFolders) && fits(one, parts));
  return rule ? !rule.isKept : null;
}

function fits({ parts, isAnywhere }: IgnoreRule, path: readonly string[]): boolean {
  if (parts.length === 0) return false;
  return isAnywhere ? fitsPart(path.at(-1) ?? '', parts[0] ?? '') : fitsParts(path, parts);
}

const MAX_PARTS = 40;

// Two stars stand for any number of folders. What fits up to each place is kept, so that many of them stay cheap.
function fitsParts(path: readonly string[], parts: readonly string[]): boolean {
  if (path.length > MAX_PARTS || parts.length > MAX_PARTS) return false;
  let ends = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of ends) {
      if (part === '**') for (let to = at; to <= path.length; to += 1) next.add(to);
      else if (at < path.length && fitsPart(path[at] ?? '', part)) next.add(at + 1);
    }
    ends = next;
  }
  return ends.has(path.length);
}

// A star for any characters, a question mark for one; both are looked for from left to right without going back further than
// the last star.
export function fitsPart(name: string, pattern: string): boolean {
  let [at, in_, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    if (in_ < pattern.length && pattern[in_] === '*') [star, mark, in_] = [in_, at, in_ + 1];
    else if (in_ < pattern.length && (pattern[in_] === '?' || pattern[in_] === name[at])) [at, in_] = [at + 1, in_ + 1];
    else if (star >= 0) [in_, mark, at] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (pattern[in_] === '*') in_ += 1;
  return in_ === pattern.length;
}
