// Resolves reference links, so that each entry is complete without the link reference definitions of the file.
import { CodeSpans } from '../markdown/code-spans.ts';
import { type ReferenceDefinition, readDefinition } from '../markdown/definitions.ts';
import { listMarkerEnd, readIndent } from '../markdown/line-syntax.ts';
import { readLabel } from '../markdown/link-parts.ts';
import { type DocumentLines, isHidden } from './document-lines.ts';

const MAX_DEFINITION_LENGTH = 2000;
// A long destination may be repeated many times; all text together may grow by this much beyond the length of the file.
const GROWTH = 1_000_000;

type DefinedLink = Pick<ReferenceDefinition, 'destination' | 'title'>;

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
    if (!targets.has(definition.label)) targets.set(definition.label, definition);
  }

  let budget = lines.reduce((sum, line) => sum + line.length, GROWTH);
  const lookup = (label: string): DefinedLink | null => {
    const target = targets.get(label);
    if (!target || target.destination.length > budget) return null;
    budget -= target.destination.length + (target.title?.length ?? 0);
    return target;
  };

  return {
    definitions: definitionLines,
    resolve(first, next) {
      if (targets.size === 0) return lines.slice(first, next).join('\n');
      const parts: string[] = [];
      let open: string[] = [];
      // Links and code spans end with their paragraph or list item.
      const flush = () => {
        if (open.length > 0) parts.push(resolveLinks(open.join('\n'), lookup));
        open = [];
      };
      for (let at = first; at < next; at++) {
        if (definitionLines.has(at)) continue;
        const line = lines[at] ?? '';
        const { at: start } = readIndent(line, 0, line.length);
        const isProse = !isHidden(states, at) && start < line.length;
        if (!isProse || listMarkerEnd(line, start) > start) flush();
        if (isProse) open.push(line);
        else parts.push(line);
      }
      flush();
      return parts.join('\n');
    },
  };
}

function definitionIn(line: string): ReferenceDefinition | null {
  if (line.length > MAX_DEFINITION_LENGTH) return null;
  const { at, column } = readIndent(line, 0, line.length);
  const found = column < 4 && line[at] === '[' ? readDefinition(line, at) : null;
  return found?.end === line.length ? found : null;
}

// Turns `[text][ref]`, `[ref][]` and `[ref]` of a paragraph into inline links, outside of its code spans.
function resolveLinks(text: string, lookup: (label: string) => DefinedLink | null): string {
  let result = '';
  let copied = 0;
  const codeSpans = new CodeSpans(text);
  const special = /[\\`[]/g;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    const at = found.index;
    if (found[0] === '\\') {
      special.lastIndex = at + 2;
    } else if (found[0] === '`') {
      special.lastIndex = codeSpans.at(at).end;
    } else {
      const link = linkAt(text, at, lookup);
      if (!link) continue;
      special.lastIndex = link.end;
      if (link.target === null) continue;
      const { destination, title } = link.target;
      const url = /[\s()]/.test(destination) ? `<${destination}>` : destination;
      const target = `(${url}${title === null ? '' : ` "${title.replaceAll('"', '\\"')}"`})`;
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
  const own = readLabel(text, at);
  if (own === null) return null;
  const { key, end } = own;
  const label = text.slice(at + 1, end - 1);
  if (text[end] === '(') return { label, target: null, end };
  const reference = readLabel(text, end);
  if (reference !== null) {
    const target = lookup(reference.key || key);
    if (target) return { label, target, end: reference.end };
  }
  const target = lookup(key);
  return target && { label, target, end };
}
