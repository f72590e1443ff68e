// Extended autolinks of GFM: `https://…` and `www.…` in running text are links without any markup.

const BEGINNING = /(?:https?:\/\/|www\.)[a-z0-9-]/iy;
const AUTOLINK = /(?:https?:\/\/|www\.)[^\s<]+/iy;
const AUTOLINK_IN_BRACKETS = /(?:https?:\/\/|www\.)[^\s<\]]+/iy;
const DOMAIN = /^(?:https?:\/\/)?(?:[\p{L}\p{N}_-]{1,63}\.){0,20}[\p{L}\p{N}-]{1,63}(?=[/?#:]|$)/iu;
const MAX_URL_LENGTH = 2_048;

// The autolink at a position. Punctuation at its end belongs to the sentence, a closing bracket to the link around it.
export function readExtendedAutolink(
  text: string,
  start: number,
  inBrackets: boolean,
): { text: string; url: string } | null {
  BEGINNING.lastIndex = start;
  if (!mayPrecede(text[start - 1]) || !BEGINNING.test(text)) return null;
  const pattern = inBrackets ? AUTOLINK_IN_BRACKETS : AUTOLINK;
  pattern.lastIndex = 0;
  const whole = pattern.exec(text.slice(start, start + MAX_URL_LENGTH))?.[0] ?? '';
  const link = withoutPunctuation(whole);
  if (!DOMAIN.test(link)) return null;
  return { text: link, url: /^www\./i.test(link) ? `http://${link}` : link };
}

function mayPrecede(character: string | undefined): boolean {
  return character === undefined || /[\s*_~([>"':;,!|]/.test(character);
}

// A closing parenthesis stays as long as the URL itself opened it.
function withoutPunctuation(url: string): string {
  let open = 0;
  for (const character of url) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  let end = url.length;
  for (; end > 0; end -= 1) {
    const character = url[end - 1] as string;
    if (character === ')' && open < 0) open += 1;
    else if (character === ';') {
      // A semicolon stays, unless it ends what looks like a character reference.
      const entity = /&[a-z0-9]{1,32};$/i.exec(url.slice(Math.max(0, end - 40), end));
      if (!entity) break;
      end -= entity[0].length - 1;
    } else if (!'?!.,:*_~\'"]'.includes(character)) break;
  }
  return url.slice(0, end);
}
