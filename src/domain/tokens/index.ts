// Token counts in the cl100k_base encoding. Special tokens such as <|endoftext|> are ordinary text here, because what is
// counted is content and never a prompt. Everything is near-linear in the length of the text. Start at `count.ts`.

export { countRange, countTokens, estimateTokens, loadVocabulary, textTokens } from './count.ts';
export { longestPrefix } from './prefix.ts';
