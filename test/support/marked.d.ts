// What the tests use of the second renderer of markdown.
declare module 'marked' {
  export function parse(markdown: string, options: { gfm: boolean; async: false }): string;
}
