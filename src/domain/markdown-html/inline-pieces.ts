// The HTML of a block's text while it is parsed: a list of pieces, because what a delimiter or a bracket means is known
// only when its counterpart is found.

export interface Piece {
  before: string;
  text: string;
  after: string;
  // The text of an extended autolink. Links do not nest, so that inside another link it is text again.
  plain?: string;
}

export function addPiece(pieces: Piece[], text: string): Piece {
  const piece = { before: '', text, after: '' };
  pieces.push(piece);
  return piece;
}

export function piecesHtml(pieces: readonly Piece[]): string {
  let html = '';
  for (const { before, text, after } of pieces) html += before + text + after;
  return html;
}
