// The stack of open elements while a tree is built, and the document that they belong to.
import { type ChildNode, Document, type Element } from 'domhandler';

export class OpenElements {
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
