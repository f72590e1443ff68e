// The tokenizer of uncased BERT models: words, then the longest pieces of them that the vocabulary knows.
const CONTROL = /[\u0000\ufffd]|(?![\t\n\r])\p{C}/gu;
const HAN = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2fa1f}]/gu;
const MARK = /\p{Mn}/gu;
const WORD_OR_PUNCTUATION = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const MAX_WORD = 100;

interface WordPiece {
  // The token ids of a text, at most `max`, including the start and end tokens.
  encode(text: string, max: number): number[];
}

export function createWordPiece(vocabulary: Readonly<Record<string, number>>): WordPiece {
  const ids = new Map(Object.entries(vocabulary));
  const known = (piece: string): number => {
    const id = ids.get(piece);
    if (id === undefined) throw new Error(`the vocabulary lacks ${piece}`);
    return id;
  };
  const [start, end, unknown] = [known('[CLS]'), known('[SEP]'), known('[UNK]')];
  return {
    encode(text, max) {
      const found: number[] = [start];
      for (const word of wordsOf(text)) {
        found.push(...(piecesOf(word, ids) ?? [unknown]));
        if (found.length >= max - 1) break;
      }
      return [...found.slice(0, max - 1), end];
    },
  };
}

function wordsOf(text: string): string[] {
  const plain = text.replace(CONTROL, '').replace(HAN, ' $& ').normalize('NFD').replace(MARK, '').toLowerCase();
  return plain.match(WORD_OR_PUNCTUATION) ?? [];
}

// The pieces of a word; null when it is too long or the vocabulary cannot spell it.
function piecesOf(word: string, ids: ReadonlyMap<string, number>): number[] | null {
  const characters = [...word];
  if (characters.length > MAX_WORD) return null;
  const pieces: number[] = [];
  for (let from = 0; from < characters.length; ) {
    let to = characters.length;
    let id: number | undefined;
    for (; to > from; to -= 1) {
      id = ids.get((from > 0 ? '##' : '') + characters.slice(from, to).join(''));
      if (id !== undefined) break;
    }
    if (id === undefined) return null;
    pieces.push(id);
    from = to;
  }
  return pieces;
}
