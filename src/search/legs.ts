// What the legs of a search take and give; the words stand below, because ports speak them too.
export type {
  DegradedReason,
  LexicalAnswer,
  LexicalHit,
  LexicalPass,
  SearchFilter,
  VectorAnswer,
  VectorHit,
} from '../domain/search-legs.ts';
