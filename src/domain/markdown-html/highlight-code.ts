// Syntax highlighting: code → HTML whose keywords, strings, numbers and comments have classes.
import { type Language, languageOf } from './code-languages.ts';
import { escapeHtml } from './escape.ts';

// Keyword, string, number, comment; added and removed lines of a diff.
type TokenClass = 'tk' | 'ts' | 'tn' | 'tc' | 'add' | 'del';

// Longer code is not highlighted: the elements would make the page several times as long.
const MAX_LENGTH = 50_000;

// Null where the language is not known or the code is too long.
export function highlightCode(code: string, languageName: string): string | null {
  const name = languageName.toLowerCase();
  if (code.length > MAX_LENGTH) return null;
  if (name === 'diff' || name === 'patch') return highlightDiff(code);
  const language = languageOf(name);
  return language ? highlightTokens(code, language) : null;
}

function highlightTokens(code: string, language: Language): string {
  const out: string[] = [];
  let at = 0;
  for (const match of code.matchAll(language.tokens)) {
    const style = classOf(match.groups ?? {}, language);
    if (style === null) continue;
    const text = match.groups?.key ?? match[0];
    const start = match.index + match[0].length - text.length;
    out.push(escapeHtml(code.slice(at, start)), span(style, text));
    at = start + text.length;
  }
  out.push(escapeHtml(code.slice(at)));
  return out.join('');
}

function classOf(groups: Record<string, string | undefined>, { keywords, ignoresCase }: Language): TokenClass | null {
  if (groups.comment !== undefined) return 'tc';
  if (groups.key !== undefined || groups.key2 !== undefined) return 'tk';
  if (groups.number !== undefined) return 'tn';
  if (groups.word === undefined) return 'ts';
  return keywords.has(ignoresCase ? groups.word.toLowerCase() : groups.word) ? 'tk' : null;
}

function highlightDiff(code: string): string {
  return code
    .split('\n')
    .map((line) => (/^[+-]/.test(line) ? span(line[0] === '+' ? 'add' : 'del', line) : escapeHtml(line)))
    .join('\n');
}

function span(style: TokenClass, text: string): string {
  return `<span class="${style}">${escapeHtml(text)}</span>`;
}
