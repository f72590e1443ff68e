// Derives release fields by rule. A model may refine them later, but every release first has the fields by rule.
import { deriveNotes, notesFromDigest } from '../domain/notes/index.ts';
import type { DerivedFields, DeriveInput } from '../ports.ts';

export function deriveByRules(input: DeriveInput): DerivedFields {
  return input.digest ? notesFromDigest(input.digest, input) : deriveNotes(input);
}
