import { type DocumentLines, isHidden } from './document-lines.ts';

const LONGEST_DEFINITION = 2000;
const DEFINITION =
  /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.)+)\]:\s*(?:<([^<>]*)>|(\S+))(?:\s+("[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
const LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/y;
const CODE_REACH = 2000;
// Resolving may repeat one long address many times; a file gains at most this much beyond its own length.
const GROWTH = 1_000_000;

interface LinkTarget {
  address: string;
  title: string;
}

// The link definitions of one document and the means to resolve them in a part of it.
interface LinkReferences {
  // Lines that only define a link.
  definitions: ReadonlySet<number>;
  resolve(first: number, next: number): string;
}

export function linkReferences({ lines, states }: DocumentLines): LinkReferences {
  const targets = new Map<string, LinkTarget>();
  const definitionLines = new Set<number>();
  for (const [at, line] of lines.entries()) {
    const definition = isHidden(states, at) ? null : definitionIn(line);
    if (!definition) continue;
    definitionLines.add(at);
    // As in markdown, the first of several definitions counts.
    if (!targets.has(definition.label)) targets.set(definition.label, definition.target);
  }

  let budget = lines.reduce((sum, line) => sum + line.length, GROWTH);
  const lookup = (label: string): LinkTarget | null => {
    const target = label.length > LONGEST_DEFINITION ? undefined : targets.get(normalised(label));
    if (!target || target.address.length > budget) return null;
    budget -= target.address.length + target.title.length;
    return target;
  };

  return {
    definitions: definitionLines,
    resolve(first, next) {
      if (targets.size === 0) return lines.slice(first, next).join('\n');
      const parts: string[] = [];
      let open: string[] = [];
      const flush = () => {
        if (open.length > 0) parts.push(resolveLinks(open.join('\n'), lookup));
        open = [];
      };
      for (let at = first; at < next; at++) {
        if (definitionLines.has(at)) continue;
        if (!isHidden(states, at)) {
          open.push(lines[at] ?? '');
        } else {
          flush();
          parts.push(lines[at] ?? '');
        }
      }
      flush();
      return parts.join('\n');
    },
  };
}

function definitionIn(line: string): { label: string; target: LinkTarget } | null {
  if (line.length > LONGEST_DEFINITION) return null;
  const match = DEFINITION.exec(line);
  if (!match) return null;
  const [, label = '', bracketed, bare = '', title = ''] = match;
  return { label: normalised(label), target: { address: bracketed ?? bare, title } };
}

function normalised(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

// Turns `[text][ref]`, `[ref][]` and `[ref]` into inline links, outside code spans.
function resolveLinks(text: string, lookup: (label: string) => LinkTarget | null): string {
  let result = '';
  let copied = 0;
  const special = /[\\`[]/g;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const at = found.index;
    if (found[0] === '\\') {
      special.lastIndex = at + 2;
    } else if (found[0] === '`') {
      special.lastIndex = codeSpanEnd(text, at);
    } else {
      const link = linkAt(text, at, lookup);
      if (!link) continue;
      special.lastIndex = link.end;
      if (link.target === null) continue;
      const { address, title } = link.target;
      const destination = `(${/[\s()]/.test(address) ? `<${address}>` : address}${title === '' ? '' : ` ${title}`})`;
      // `[![badge]][ref]`: the label is nested, so only its reference is replaced.
      const label = text[at - 1] === ']' && copied < at ? '' : `[${link.label}]`;
      result += text.slice(copied, at) + label + destination;
      copied = link.end;
    }
  }
  return result + text.slice(copied);
}

interface FoundLink {
  label: string;
  // Null for a link that already holds its address.
  target: LinkTarget | null;
  end: number;
}

function linkAt(text: string, at: number, lookup: (label: string) => LinkTarget | null): FoundLink | null {
  const label = labelAt(text, at);
  if (label === null) return null;
  const end = at + label.length + 2;
  if (text[end] === '(') return { label, target: null, end };
  const reference = text[end] === '[' ? labelAt(text, end) : null;
  if (reference !== null) {
    const target = lookup(reference === '' ? label : reference);
    if (target) return { label, target, end: end + reference.length + 2 };
  }
  const target = lookup(label);
  return target && { label, target, end };
}

function labelAt(text: string, at: number): string | null {
  LABEL.lastIndex = at;
  return LABEL.exec(text)?.[1] ?? null;
}

// Where the code span that begins at a run of backticks ends; after the run itself when it is not closed nearby.
function codeSpanEnd(text: string, at: number): number {
  let start = at;
  while (text[start] === '`') start++;
  const length = start - at;
  const reach = text.slice(start, start + CODE_REACH);
  for (const run of reach.matchAll(/`+/g)) {
    if (run[0].length === length) return start + run.index + length;
  }
  return start;
}
