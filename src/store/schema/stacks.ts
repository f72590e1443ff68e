// Row types of stacks: what a project runs on, and the newest answer about each of its packages.
import type { Ecosystem } from '../../contract/enums.ts';
import type { StoredAnswer } from '../../domain/stacks/answer.ts';
import type { Judgement } from '../../domain/upgrade/judgement.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface StackTables {
  stacks: StackRow;
  stack_packages: StackPackageRow;
  stack_feeds: StackFeedRow;
  stack_marks: StackMarkRow;
}

export interface StackRow {
  id: string;
  user_id: string;
  name: string;
  // The file that it was made from, such as package-lock.json; null when nobody said.
  source: string | null;
  // By a key, as in CI, or by its owner.
  pushed_by: 'key' | 'owner';
  created_at: string;
  pushed_at: string;
  // What came later is new to the owner.
  seen_at: string;
}

// A package may stand in a stack in several versions.
export interface StackPackageRow {
  stack_id: string;
  ecosystem: Ecosystem;
  // Normalised, as in the package map.
  name: string;
  // As installed; a range where the manifest names no version.
  version: string;
  version_sort: string | null;
  // The newest version that was known when it was judged last, and since when it has been that one.
  target: string | null;
  target_at: string | null;
  // Two facts of the answer, for counting; null where nothing newer is known.
  judgement: Judgement | null;
  security: Bit;
  // Null while nobody has looked at it.
  answer: JsonText<StoredAnswer> | null;
  judged_at: string | null;
  // The newest version at the last push or when the owner marked the stack as seen; and when a digest told of it.
  seen_target: string | null;
  told_target: string | null;
  // What is being read for it.
  reading_id: string | null;
  // Until when nothing more is read for who asked.
  refused_until: string | null;
}

// What the owner says of a package, in whatever version the stack has it.
export interface StackMarkRow {
  stack_id: string;
  ecosystem: Ecosystem;
  name: string;
  kind: 'done' | 'ignored';
  // The newest version that was known when it was marked as done; a newer one asks again.
  version: string | null;
  // The day on which ignoring ends; null: never.
  until: string | null;
  reason: string | null;
  marked_at: string;
}

// The secret is encrypted and not hashed, because its owner may read the address again.
export interface StackFeedRow {
  stack_id: string;
  lookup_id: string;
  secret: string;
  created_at: string;
  last_used_at: string | null;
  content_hash: string | null;
  modified_at: string | null;
}
