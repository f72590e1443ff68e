// How deep declarations nest, and how far they lead from file to file. A compiler calls itself once or more for every level, so a
// stranger's package that has too many ends it; this is known in one pass over the text, before any compiler sees it.
import { posix } from 'node:path';

// Real packages have at most a tenth of it, and a compiler breaks at ten times as much.
export const MAX_NESTING = 300;
// The longest of real packages is a third of it.
export const MAX_CHAIN = 1_500;

const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

// Brackets of all kinds outside of strings and comments. What is not closed ends with the brackets around it, and `<`, which
// may only compare, with its statement.
export function nestsDeeperThan(text: string, most: number): boolean {
  const open: string[] = [];
  const counts = new Map<string, number>();
  const push = (opener: string) => {
    open.push(opener);
    counts.set(opener, (counts.get(opener) ?? 0) + 1);
  };
  const pop = () => {
    const last = open.pop() ?? '';
    counts.set(last, (counts.get(last) ?? 0) - 1);
    return last;
  };
  const mark = /[()[\]{}<>;'"`/]/g;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [char] = found;
    let at = found.index;
    switch (char) {
      case '/':
        at = endOfComment(text, at);
        break;
      case '"':
      case "'":
        at = endOfString(text, at);
        break;
      case '`':
        at = endOfTemplate(text, at + 1);
        if (text[at] === '{') push('${');
        break;
      case '(':
      case '[':
      case '{':
        push(char);
        break;
      case '<':
        if (!isComparison(text, at)) push(char);
        break;
      case ')':
      case ']':
      case '>':
        if (char === '>' && (text[at - 1] === '=' || open.at(-1) !== '<')) break;
        if ((counts.get(OPENERS[char] ?? '') ?? 0) > 0) while (pop() !== OPENERS[char]);
        break;
      case '}':
        if ((counts.get('{') ?? 0) + (counts.get('${') ?? 0) === 0) break;
        for (;;) {
          const closed = pop();
          if (closed === '{') break;
          if (closed !== '${') continue;
          at = endOfTemplate(text, at + 1);
          if (text[at] === '{') push('${');
          break;
        }
        break;
      case ';':
        while (open.at(-1) === '<') pop();
        break;
    }
    if (open.length > most) return true;
    mark.lastIndex = at + 1;
  }
  return false;
}

function isComparison(text: string, at: number): boolean {
  return / |=/.test(text[at + 1] ?? '') || (text[at + 1] === '<' && text[at - 1] === ' ');
}

// The last character of a comment that begins here, or this one.
function endOfComment(text: string, at: number): number {
  const isLine = text[at + 1] === '/';
  if (!isLine && text[at + 1] !== '*') return at;
  const end = isLine ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 1;
  return end <= 0 ? text.length : end;
}

// The quote that closes a string, or the end of its line.
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === text[at] || text[end] === '\n') return end;
  }
  return text.length;
}

// The quote that closes a template, or the brace that opens a part of it.
function endOfTemplate(text: string, from: number): number {
  for (let end = from; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '`') return end;
    else if (text[end] === '$' && text[end + 1] === '{') return end + 1;
  }
  return text.length;
}

// Files as they lead to each other; null for one that is not there.
type TextAt = (path: string) => string | null;

// The longest ways from file to file, each walked once.
export class Chains {
  readonly #textAt: TextAt;
  // How many files follow one another from here; those that are being looked at count as the end.
  readonly #lengths = new Map<string, number>();

  constructor(textAt: TextAt) {
    this.#textAt = textAt;
  }

  isLongerThan(path: string, most: number): boolean {
    const known = this.#lengths.get(path);
    if (known !== undefined) return known > most;
    const walk = [{ path, left: this.#enter(path) }];
    for (let one = walk.at(-1); one; one = walk.at(-1)) {
      if (walk.length > most) return true;
      const next = one.left.pop();
      if (next === undefined) {
        walk.pop();
        const above = walk.at(-1)?.path;
        if (above !== undefined) this.#lengthen(above, this.#lengths.get(one.path) ?? 0);
      } else {
        const found = this.#lengths.get(next);
        if (found === undefined) walk.push({ path: next, left: this.#enter(next) });
        else this.#lengthen(one.path, found);
      }
    }
    return (this.#lengths.get(path) ?? 0) > most;
  }

  #enter(path: string): string[] {
    this.#lengths.set(path, 1);
    return filesNamedIn(path, this.#textAt(path) ?? '', this.#textAt);
  }

  #lengthen(path: string, below: number): void {
    this.#lengths.set(path, Math.max(this.#lengths.get(path) ?? 0, below + 1));
  }
}

const NAMED = /\b(?:from|import|require|path\s*=)[\s(]*["'](\.{1,2}(?:\/[^"'\n]*)?)["']/g;

function filesNamedIn(path: string, text: string, textAt: TextAt): string[] {
  const named = [...text.matchAll(NAMED)].flatMap(([, to = '']) => {
    const place = posix.join(posix.dirname(path), to);
    const found = spellings(place).find((one) => textAt(one) !== null);
    return found === undefined ? [] : [found];
  });
  return [...new Set(named)];
}

// As a compiler looks for declarations.
function spellings(path: string): string[] {
  const [, stem = path, kind = ''] = /^(.*)\.([cm]?)js$/.exec(path) ?? [];
  const bare = [`${stem}.${kind}ts`, `${stem}.tsx`, `${stem}.d.${kind}ts`];
  return [...bare, path, `${path}/index.ts`, `${path}/index.d.ts`].filter((one) => /\.[cm]?tsx?$/.test(one));
}

// Why a compiler would break on a package; null for one that it can read. Paths are those of the package.
export function nestingFault(texts: ReadonlyMap<string, string>): string | null {
  const chains = new Chains((path) => texts.get(path) ?? null);
  for (const [path, text] of texts) {
    if (!/\.[cm]?tsx?$/.test(path)) continue;
    if (nestsDeeperThan(text, MAX_NESTING)) return 'is nested too deeply';
    if (chains.isLongerThan(path, MAX_CHAIN)) return 'has too long a chain of files';
  }
  return null;
}
