// Builds a tree from the tokens of HTML or XML. The builder of the library searches and shifts its stack of open elements at
// every tag, which takes minutes for a megabyte of hostile tags; here a tag costs constant time.
import { type ChildNode, Document, Element, Text } from 'domhandler';
import { Tokenizer } from 'htmlparser2';

// The stack of open elements while a tree is built, and the document that they belong to.

class OpenElements {
  readonly document = new Document([]);
  readonly stack: Element[] = [];
  // How many open elements have each name, so that an end tag without a match is recognised without a search.
  private readonly counts = new Map<string, number>();

  has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0;
  }

  push(element: Element): void {
    this.stack.push(element);
    this.counts.set(element.name, (this.counts.get(element.name) ?? 0) + 1);
  }

  // Closes the innermost element, whose content ends at `endIndex`.
  pop(endIndex: number): void {
    const element = this.stack.pop();
    if (element === undefined) return;
    element.endIndex = endIndex;
    this.counts.set(element.name, (this.counts.get(element.name) ?? 1) - 1);
  }

  // Adds a node to the innermost element.
  append(node: ChildNode): void {
    const parent = this.stack.at(-1) ?? this.document;
    const last = parent.children.at(-1) ?? null;
    node.parent = parent;
    node.prev = last;
    if (last) last.next = node;
    parent.children.push(node);
  }
}

export interface TreeRules {
  xml: boolean;
  isVoid(name: string): boolean;
  // How many of the innermost open elements end because an element of this name begins.
  endedBy(name: string, open: readonly Element[]): number;
  // Whether an end tag cannot close anything outside of an open element.
  isBoundary(open: string, closing: string): boolean;
}

interface MarkupTree {
  // `startIndex` and `endIndex` of an element delimit the source between its tags.
  document: Document;
  // The elements that were still open at the end of the text, outermost first.
  open: readonly Element[];
  // Some element was ended by something else than its own end tag.
  repaired: boolean;
}

// Browsers stop nesting at 512. Deeper elements become children of the last open one, so that walks may recurse.
const MAX_DEPTH = 200;

export function buildTree(text: string, rules: TreeRules): MarkupTree {
  const builder = new TreeBuilder(text, rules);
  const tokenizer = new Tokenizer({ xmlMode: rules.xml, decodeEntities: true }, builder);
  tokenizer.write(text);
  tokenizer.end();
  const { document, stack } = builder.open;
  return { document, open: stack, repaired: builder.repaired };
}

class TreeBuilder {
  readonly open = new OpenElements();
  repaired = false;
  private readonly source: string;
  private readonly rules: TreeRules;
  private text = '';
  private tag = '';
  private tagStart = 0;
  private attribute = '';
  private value = '';
  private attributes: Record<string, string> = {};

  constructor(source: string, rules: TreeRules) {
    this.source = source;
    this.rules = rules;
  }

  ontext(start: number, end: number): void {
    this.text += this.source.slice(start, end);
  }

  ontextentity(code: number): void {
    this.text += String.fromCodePoint(code);
  }

  // HTML has no CDATA sections, but XHTML from a feed may have some.
  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset);
  }

  onopentagname(start: number, end: number): void {
    this.tagStart = start - 1;
    this.tag = this.source.slice(start, end).toLowerCase();
    this.attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.source.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.source.slice(start, end);
  }

  onattribentity(code: number): void {
    this.value += String.fromCodePoint(code);
  }

  onattribend(): void {
    if (!Object.hasOwn(this.attributes, this.attribute)) this.attributes[this.attribute] = this.value;
  }

  onopentagend(end: number): void {
    this.begin(this.rules.isVoid(this.tag), end + 1);
  }

  // A self-closing `<p/>` of a feed is closed, although browsers leave it open.
  onselfclosingtag(end: number): void {
    this.begin(true, end + 1);
  }

  onclosetag(start: number, end: number): void {
    const name = this.source.slice(start, end).toLowerCase();
    if (name === 'br' && !this.rules.xml) this.lineBreak();
    if (!this.open.has(name)) return;
    const { stack } = this.open;
    let at = stack.length - 1;
    while (stack[at]?.name !== name) {
      if (this.rules.isBoundary(stack[at]?.name ?? '', name)) return;
      at -= 1;
    }
    this.tagStart = this.source.lastIndexOf('<', start);
    this.end(stack.length - at - 1);
    this.flush();
    this.open.pop(this.tagStart);
  }

  onend(): void {
    this.flush();
    for (const element of this.open.stack) element.endIndex = this.source.length;
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private begin(empty: boolean, contentStart: number): void {
    this.end(this.rules.endedBy(this.tag, this.open.stack));
    this.flush();
    const element = new Element(this.tag, this.attributes);
    element.startIndex = contentStart;
    element.endIndex = contentStart;
    this.open.append(element);
    if (!empty && this.open.stack.length < MAX_DEPTH) this.open.push(element);
  }

  private end(count: number): void {
    if (count <= 0) return;
    this.repaired = true;
    this.flush();
    for (let left = count; left > 0; left -= 1) this.open.pop(this.tagStart);
  }

  private lineBreak(): void {
    this.flush();
    this.open.append(new Element('br', {}));
  }

  private flush(): void {
    if (this.text !== '') this.open.append(new Text(this.text));
    this.text = '';
  }
}
