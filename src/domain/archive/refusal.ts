// Why an archive is not read. An archive is a stranger's, so whatever two readers could understand differently is refused
// as a whole: half of a package must never be taken for all of it.
type RefusalReason =
  | 'not_gzip'
  | 'not_zip'
  | 'damaged'
  | 'truncated'
  | 'empty'
  | 'too_large'
  | 'ratio'
  | 'too_many_entries'
  | 'header_too_large'
  | 'name_too_long'
  | 'sparse';

export interface Refusal {
  reason: RefusalReason;
  // One sentence for the operator, without anything that the archive says of itself.
  text: string;
}

export class ArchiveRefused extends Error {
  readonly refusal: Refusal;

  constructor(reason: RefusalReason, text: string) {
    super(text);
    this.refusal = { reason, text };
  }
}
