// The scripts of Vue and Svelte components, and the names that their templates read.
interface ScriptBlock {
  // The text of the component with everything but the script made blank, so that lines stay what they are.
  text: string;
  language: string;
}

interface TemplateRead {
  path: readonly string[];
  line: number;
}

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;

export function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

export function isComponent(path: string): boolean {
  return /\.(?:vue|svelte|astro)$/i.test(path);
}

// All scripts of a component as one module: they share their names.
export function scriptOf(path: string, text: string): ScriptBlock {
  let [script, language, end] = ['', 'js', 0];
  const keep = (from: number, to: number) => {
    script += blank(text.slice(end, from)) + text.slice(from, to);
    end = to;
  };
  const fence = /\.astro$/i.test(path) ? /^\s*---\r?\n([\s\S]*?)\n---/.exec(text) : null;
  if (fence) {
    language = 'ts';
    const from = text.indexOf('---') + 3;
    keep(from, from + fence[0].trimStart().length - 6);
  }
  for (const match of text.matchAll(SCRIPT)) {
    const [whole, attributes = '', body = ''] = match;
    const from = match.index + whole.indexOf('>') + 1;
    if (
      from < end ||
      (/\btype\s*=/.test(attributes) && !/\btype\s*=\s*["']?(?:module|text\/(?:java|type)script)/.test(attributes))
    )
      continue;
    const lang = /\blang\s*=\s*["']?(\w+)/.exec(attributes)?.[1]?.toLowerCase();
    if (lang) language = lang === 'typescript' ? 'ts' : lang;
    // Two scripts are two statements.
    keep(from, from + body.length);
    script += script.endsWith('\n') ? '' : ';';
    end += script.endsWith(';') ? 1 : 0;
  }
  return { text: script, language };
}

// Expressions of the template that begin with one of the names.
export function templateReads(text: string, names: ReadonlySet<string>): TemplateRead[] {
  if (names.size === 0) return [];
  const template = text.replace(SCRIPT, blank).replace(/<style\b[\s\S]*?<\/style\s*>|<!--[\s\S]*?-->/gi, blank);
  const found: TemplateRead[] = [];
  const add = (at: number, path: readonly string[]) => {
    const line = template.slice(0, at).split('\n').length;
    found.push({ path, line });
  };
  const components = new Map(
    [...names].flatMap(
      (name) =>
        [
          [name, name],
          [kebab(name), name],
        ] as const,
    ),
  );
  for (const match of template.matchAll(/<([A-Za-z][\w-]*)((?:\.\w+)*)/g)) {
    const name = components.get(match[1] ?? '');
    if (name) add(match.index, [name, ...(match[2] ?? '').split('.').filter(Boolean)]);
  }
  for (const part of template.matchAll(
    /\{[^{}]*\}|=\s*"[^"]*"|=\s*'[^']*'|(?:use|transition|in|out|animate|v)[:-][\w.-]+/g,
  )) {
    for (const word of part[0].matchAll(/(?<![\w$.'-])\$?([A-Za-z_$][\w$-]*)((?:\s*\??\.\s*[A-Za-z_$][\w$]*)*)/g)) {
      const name = word[1] ?? '';
      const first = names.has(name) ? name : names.has(name.split('-')[0] ?? '') ? (name.split('-')[0] ?? '') : null;
      if (first === null) continue;
      add(part.index + word.index, [first, ...(word[2] ?? '').split(/[\s?.]+/).filter(Boolean)]);
    }
  }
  return found;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
