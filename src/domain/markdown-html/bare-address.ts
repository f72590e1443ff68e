// `https://…` and `www.…` in running text.

const BEGIN = /(?:https?:\/\/|www\.)[a-z0-9-]/iy;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<]+/iy;
const ADDRESS_IN_BRACKETS = /(?:https?:\/\/|www\.)[^\s<\]]+/iy;
const DOMAIN = /^(?:https?:\/\/)?(?:[\p{L}\p{N}_-]{1,63}\.){0,20}[\p{L}\p{N}-]{1,63}(?=[/?#:]|$)/iu;
const MAX_ADDRESS = 2_048;

// Null when no address begins here. Punctuation at its end belongs to the sentence.
export function readBareAddress(
  text: string,
  start: number,
  inBrackets: boolean,
): { shown: string; address: string } | null {
  BEGIN.lastIndex = start;
  if (!mayStandBefore(text[start - 1]) || !BEGIN.test(text)) return null;
  const form = inBrackets ? ADDRESS_IN_BRACKETS : ADDRESS;
  form.lastIndex = 0;
  const whole = form.exec(text.slice(start, start + MAX_ADDRESS))?.[0] ?? '';
  const shown = withoutPunctuation(whole);
  if (!DOMAIN.test(shown)) return null;
  return { shown, address: /^www\./i.test(shown) ? `http://${shown}` : shown };
}

function mayStandBefore(character: string | undefined): boolean {
  return character === undefined || /[\s*_~([>"':;,!|]/.test(character);
}

function withoutPunctuation(address: string): string {
  let open = 0;
  for (const character of address) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const character = address[end - 1] as string;
    if (character === ')' && open < 0) open += 1;
    else if (character === ';') {
      const entity = /&[a-z0-9]{1,32};$/i.exec(address.slice(Math.max(0, end - 40), end));
      if (!entity) break;
      end -= entity[0].length - 1;
    } else if (!'?!.,:*_~\'"]'.includes(character)) break;
  }
  return address.slice(0, end);
}
