interface VisibleText {
  // All in lower case. White space is single.
  title: string;
  visible: string;
  // Opening tags of scripts, with their attributes.
  scripts: string[];
}

const SILENT = new Set(['script', 'style', 'template', 'title', 'svg', 'iframe']);
const TAG = /<\/?(?<name>[a-z][a-z0-9-]*)/y;
const MAX_SCRIPTS = 200;

// What a reader of a small page sees; null when it shows more than `limit` characters. One pass without backtracking,
// because the page is a stranger's and can be large.
export function readPage(html: string, limit: number): VisibleText | null {
  const page = html.toLowerCase();
  const scripts: string[] = [];
  let title = '';
  let visible = '';
  let at = 0;
  while (at < page.length) {
    const open = indexOrEnd(page, '<', at);
    visible = joinText(visible, page.slice(at, open));
    if (visible.length > limit) return null;
    const name = tagName(page, open);
    if (page.startsWith('<!--', open)) {
      at = indexOrEnd(page, '-->', open) + 3;
    } else if (name === null) {
      // A `<` that opens nothing is text; a declaration is not.
      visible += open < page.length && page[open + 1] !== '!' ? '<' : '';
      at = page[open + 1] === '!' ? indexOrEnd(page, '>', open) + 1 : open + 1;
    } else {
      const close = indexOrEnd(page, '>', open) + 1;
      const silent = SILENT.has(name) && page[open + 1] !== '/';
      at = silent ? indexOrEnd(page, `</${name}`, close) : close;
      if (name === 'script' && silent && scripts.length < MAX_SCRIPTS) scripts.push(page.slice(open, close));
      if (name === 'title' && silent && title === '') title = joinText('', page.slice(close, at));
    }
  }
  return { title, visible: visible.trim(), scripts };
}

function tagName(page: string, at: number): string | null {
  TAG.lastIndex = at;
  return TAG.exec(page)?.groups?.name ?? null;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}

function joinText(before: string, part: string): string {
  const text = part.replaceAll(/(?:\s|&nbsp;)+/g, ' ').trim();
  return before === '' || text === '' ? before + text : `${before} ${text}`;
}
