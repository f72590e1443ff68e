// A part of the output. Emphasis tags are placed around the marks that are left as text.
export interface Piece {
  before: string;
  text: string;
  after: string;
  // The text of an address that was made a link because it looks like one; inside a link it is text again.
  plain?: string;
}

export function piece(text: string): Piece {
  return { before: '', text, after: '' };
}

export function piecesHtml(pieces: readonly Piece[]): string {
  let html = '';
  for (const { before, text, after } of pieces) html += before + text + after;
  return html;
}

// References like `&amp;` mean a character in markdown as in HTML.
const AMPERSAND = /&(?!(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});)/gi;

export function textHtml(text: string): string {
  return text.replace(AMPERSAND, '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

// Readers of addresses take a backslash for a slash.
export function addressHtml(address: string): string {
  return textHtml(address.replaceAll('\\', '%5C'));
}
