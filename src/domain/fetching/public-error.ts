// Fetch errors as the public may read them: no query string, no user part, nothing that looks like a credential.
import { cutText } from '../clean-text.ts';

const MAX_LENGTH = 200;

const RULES: readonly (readonly [RegExp, string])[] = [
  // https://user:secret@host → https://host
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@]{1,512}@/gi, '$1'],
  // Query and fragment of an address or a path, up to the next blank or closing mark.
  [/(?<=[\w/.~%:)\]-])[?#][^\s"'<>)\]]+/g, ''],
  [/\b(authorization|cookie|set-cookie|proxy-authorization)\b\s*[:=].*/gi, '$1: …'],
  [/\b(bearer|basic|token)\s+[\w.~+/=-]{8,}/gi, '$1 …'],
  [
    /\b([\w-]{0,40}(?:token|secret|password|passwd|api[_-]?key|access[_-]?key|signature))\b["']?\s*[:=]\s*["']?[^\s"'&,;]+/gi,
    '$1=…',
  ],
  [/\b(?:gh[pousr]_|github_pat_|sk-|xox[abprs]-|relk_|relu_)[\w-]{8,}/g, '…'],
];

export function publicError(error: string | null): string | null {
  if (error === null) return null;
  // The text is cut first, so that the rules work on a bounded text; nothing behind the cut is shown anyway.
  let text = cutText(error, MAX_LENGTH * 4);
  for (const [form, shown] of RULES) text = text.replace(form, shown);
  return cutText(text, MAX_LENGTH);
}
