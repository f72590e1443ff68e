// Headings of sanitized HTML: which level the highest one has, and the anchors that links lead to.
import { type ChildNode, type Element, isTag, isText } from 'domhandler';

export const HEADING = /^h[1-6]$/;

// The highest heading level among the nodes; null when there is no heading.
export function topHeadingLevel(nodes: readonly ChildNode[]): number | null {
  let top: number | null = null;
  const walk = (list: readonly ChildNode[]): void => {
    for (const node of list) {
      if (!isTag(node)) continue;
      if (HEADING.test(node.name)) top = Math.min(top ?? 6, Number(node.name[1]));
      walk(node.children);
    }
  };
  walk(nodes);
  return top;
}

// Anchors are unique in a text: a repeated one gets a number.
export class Anchors {
  readonly #prefix: string;
  readonly #counts = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  next(slug: string): string {
    const count = (this.#counts.get(slug) ?? 0) + 1;
    this.#counts.set(slug, count);
    return this.first(count === 1 ? slug : `${slug}-${count}`);
  }

  // The anchor that the first element with a slug gets.
  first(slug: string): string {
    return `${this.#prefix}${slug}`;
  }
}

export function textOf(node: Element): string {
  return node.children.map((child) => (isText(child) ? child.data : isTag(child) ? textOf(child) : '')).join('');
}

export function slugOf(text: string): string {
  const slug = text
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return slug || 'section';
}
