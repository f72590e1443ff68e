// Builds a tree out of the tokens of strangers' markup. The stock builders search and shift their stack of open
// elements at every tag, which a megabyte of hostile tags turns into minutes; here a tag costs constant time.
import { type ChildNode, Document, Element, type ParentNode, Text } from 'domhandler';
import { Tokenizer } from 'htmlparser2';

export interface TreeRules {
  xml: boolean;
  isVoid(name: string): boolean;
  // How many of the innermost open elements end because an element of this name begins.
  endedBy(name: string, open: readonly Element[]): number;
  // An end tag does not reach out of this element.
  isWall(open: string, closing: string): boolean;
}

interface MarkupTree {
  // Of an element, `startIndex` and `endIndex` are the ends of its inner source.
  document: Document;
  // The elements that the end of the text left open, outermost first.
  open: readonly Element[];
  // An element was ended by something else than its own end tag.
  repaired: boolean;
}

// Browsers stop nesting at 512. Deeper elements become siblings of their parent, so that walks may recurse.
const MAX_DEPTH = 200;

export function buildTree(text: string, rules: TreeRules): MarkupTree {
  const builder = new TreeBuilder(text, rules);
  const tokenizer = new Tokenizer({ xmlMode: rules.xml, decodeEntities: true }, builder);
  tokenizer.write(text);
  tokenizer.end();
  return { document: builder.document, open: builder.open, repaired: builder.repaired };
}

class TreeBuilder {
  readonly document = new Document([]);
  readonly open: Element[] = [];
  repaired = false;
  private readonly source: string;
  private readonly rules: TreeRules;
  // Open elements by name: an end tag without a match is recognised without a search.
  private readonly counts = new Map<string, number>();
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

  // Pages have none; XHTML that was lifted out of a feed may.
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
    if (!this.counts.get(name)) return;
    let at = this.open.length - 1;
    while (this.open[at]?.name !== name) {
      if (this.rules.isWall(this.open[at]?.name ?? '', name)) return;
      at -= 1;
    }
    this.tagStart = this.source.lastIndexOf('<', start);
    this.end(this.open.length - at - 1);
    this.flush();
    this.leave();
  }

  onend(): void {
    this.flush();
    for (const element of this.open) element.endIndex = this.source.length;
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private begin(empty: boolean, contentStart: number): void {
    this.end(this.rules.endedBy(this.tag, this.open));
    this.flush();
    const element = new Element(this.tag, this.attributes);
    element.startIndex = contentStart;
    element.endIndex = contentStart;
    append(this.parent(), element);
    if (empty || this.open.length >= MAX_DEPTH) return;
    this.open.push(element);
    this.counts.set(element.name, (this.counts.get(element.name) ?? 0) + 1);
  }

  private end(count: number): void {
    if (count <= 0) return;
    this.repaired = true;
    this.flush();
    for (let left = count; left > 0; left -= 1) this.leave();
  }

  private leave(): void {
    const element = this.open.pop();
    if (element === undefined) return;
    element.endIndex = this.tagStart;
    this.counts.set(element.name, (this.counts.get(element.name) ?? 1) - 1);
  }

  private lineBreak(): void {
    this.flush();
    append(this.parent(), new Element('br', {}));
  }

  private flush(): void {
    if (this.text !== '') append(this.parent(), new Text(this.text));
    this.text = '';
  }

  private parent(): ParentNode {
    return this.open.at(-1) ?? this.document;
  }
}

function append(parent: ParentNode, node: ChildNode): void {
  const last = parent.children.at(-1) ?? null;
  node.parent = parent;
  node.prev = last;
  if (last) last.next = node;
  parent.children.push(node);
}
