// Text cleaned before it is stored, compared or cut.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const CONTROL_EXCEPT_TAB_AND_LINE_FEED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g;

// Long text as it is stored: line feeds end lines, and tab is the only other control character left. Nearly every text is
// clean, which one search tells.
export function cleanLongText(text: string): string {
  if (text.search(CONTROL_EXCEPT_TAB_AND_LINE_FEED) < 0) return text;
  return text.replace(/\r\n?/g, '\n').replace(CONTROL_EXCEPT_TAB_AND_LINE_FEED, '');
}

export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

// The `nameKey` of a name. It is folded here and not in SQL, so that both engines order and match names alike.
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

// At most `most` UTF-16 units, never half of a surrogate pair.
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const unit = text.charCodeAt(most - 1);
  return text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most);
}
