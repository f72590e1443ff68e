// Resolves reference links, so that each entry is complete without the link reference definitions of the file.
import { type DocumentLines, isHidden } from './document-lines.ts';

const MAX_DEFINITION_LENGTH = 2000;
const DEFINITION =
  /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.)+)\]:\s*(?:<([^<>]*)>|(\S+))(?:\s+("[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;
const LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/y;
const CODE_REACH = 2000;
// A long destination may be repeated many times; all text together may grow by this much beyond the length of the file.
const GROWTH = 1_000_000;

interface DefinedLink {
  destination: string;
  title: string;
}

interface LinkReferences {
  // Lines that are link reference definitions.
  definitions: ReadonlySet<number>;
  // The text of a range of lines with its reference links made inline links.
  resolve(first: number, next: number): string;
}

export function linkReferences({ lines, states }: DocumentLines): LinkReferences {
  const targets = new Map<string, DefinedLink>();
  const definitionLines = new Set<number>();
  for (const [at, line] of lines.entries()) {
    const definition = isHidden(states, at) ? null : definitionIn(line);
    if (!definition) continue;
    definitionLines.add(at);
    // The first definition of a label counts.
    if (!targets.has(definition.label)) targets.set(definition.label, definition.target);
  }

  let budget = lines.reduce((sum, line) => sum + line.length, GROWTH);
  const lookup = (label: string): DefinedLink | null => {
    const target = label.length > MAX_DEFINITION_LENGTH ? undefined : targets.get(normalized(label));
    if (!target || target.destination.length > budget) return null;
    budget -= target.destination.length + target.title.length;
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

function definitionIn(line: string): { label: string; target: DefinedLink } | null {
  if (line.length > MAX_DEFINITION_LENGTH) return null;
  const match = DEFINITION.exec(line);
  if (!match) return null;
  const [, label = '', bracketed, bare = '', title = ''] = match;
  return { label: normalized(label), target: { destination: bracketed ?? bare, title } };
}

function normalized(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

// Turns `[text][ref]`, `[ref][]` and `[ref]` outside of code spans into inline links.
function resolveLinks(text: string, lookup: (label: string) => DefinedLink | null): string {
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
      const { destination, title } = link.target;
      const url = /[\s()]/.test(destination) ? `<${destination}>` : destination;
      const target = `(${url}${title === '' ? '' : ` ${title}`})`;
      // In `[![badge]][ref]` the label is nested, so that only the reference behind it is replaced.
      const label = text[at - 1] === ']' && copied < at ? '' : `[${link.label}]`;
      result += text.slice(copied, at) + label + target;
      copied = link.end;
    }
  }
  return result + text.slice(copied);
}

interface ReferenceLink {
  label: string;
  // Null for an inline link, which has its destination already.
  target: DefinedLink | null;
  end: number;
}

function linkAt(text: string, at: number, lookup: (label: string) => DefinedLink | null): ReferenceLink | null {
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

// The end of the code span that begins at a run of backticks, or of the run itself when it is not closed nearby.
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
