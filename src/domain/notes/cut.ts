// Shortens texts at a word, a clause or a sentence.
// A comma ends a clause only before a word that opens the next one, because most commas separate parts of an enumeration.
const CLAUSE_END =
  /;(?=\s)|,(?= (?:which|so|but|because|as|and|where|when|to|for|with|while|since|if|by|using|instead|including|see|that|it|this|we|you|in|not|now|allowing|making|causing)\b)| [-–—(|](?=\s|\w)/g;
// Words that open a sentence whose statement follows the first comma.
const INTRODUCTION =
  /^(?:In order|When(?:ever)?|If|Since|As|Because|Due to|With|After|Before|While|Although|Though|Once|Unlike|Instead|Until|To|For|By|Given|On|At|In)\b[^,]{0,200}, /i;
// The comma before the last part of an enumeration ("a, b, and c") ends no clause.
const LISTED = /, [^\s,]{1,25}(?: [^\s,]{1,25})?$/;
const MIN_CLAUSE_LENGTH = 20;
const SENTENCE_END = /[.!?](?=\s)/g;
// A remark in brackets, behind which its sentence goes on.
const REMARK = / \([^()]{1,400}\)(?= [a-z])/y;
// Words behind a remark before which a sentence can end, too.
const MORE = /^ (?:and|as|because|but|by|due|for|from|if|in order|of|or|since|so|to|using|via|when|while|with)\b/;

const ELLIPSIS = '…';
// Words that cannot end a shortened text.
const DANGLING =
  /(?: (?:a|an|the|of|to|for|in|on|at|by|with|and|or|from|as|is|are|that|which|into|when|if|using|via))+$/i;

// At most `max` characters, ending with a whole word.
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const space = text.lastIndexOf(' ', max);
  const end = space > 0 ? space : isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end).replace(/[\s,;:–—(-]{1,8}$/, '');
}

// The same with an ellipsis where something was left out.
export function cutWithEllipsis(text: string, max: number): string {
  if (text.length <= max) return text;
  const clause = withoutOpenBracket(cutAtWord(text, max - ELLIPSIS.length)).replace(DANGLING, '');
  return clause.replace(/[\s,;:–—(-]{1,8}$/, '') + ELLIPSIS;
}

// Cuts before a parenthesis that would otherwise stay open.
function withoutOpenBracket(text: string): string {
  const open = text.lastIndexOf('(');
  return open > MIN_CLAUSE_LENGTH && text.indexOf(')', open) === -1 ? text.slice(0, open) : text;
}

// At most `max` characters, ending with a sentence or clause if one of sufficient length fits, else with a word.
export function cutAtClause(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max + 2);
  const from = Math.max(MIN_CLAUSE_LENGTH, INTRODUCTION.exec(head)?.[0].length ?? 0);
  const end = lastEnd(head, SENTENCE_END, { from, max }) || lastEnd(head, CLAUSE_END, { from, max });
  const rest = end > 0 ? behindRemark(text, end) : null;
  if (rest !== null && (end + rest.length <= max || !MORE.test(rest)))
    return cutAtClause(text.slice(0, end) + rest, max);
  const clause = end > 0 ? text.slice(0, end) : '';
  return clause !== '' && withoutOpenBracket(clause) === clause ? clause : cutWithEllipsis(text, max);
}

// What follows the remark that begins here; null when there is none.
function behindRemark(text: string, at: number): string | null {
  REMARK.lastIndex = at;
  const remark = REMARK.exec(text)?.[0];
  return remark === undefined ? null : text.slice(at + remark.length);
}

function lastEnd(head: string, pattern: RegExp, { from, max }: { from: number; max: number }): number {
  let end = 0;
  for (const match of head.matchAll(pattern))
    if (match.index <= max && match.index >= from && !LISTED.test(head.slice(0, match.index))) end = match.index;
  return end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
