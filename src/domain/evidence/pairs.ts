// What of two versions is compared with each other, and where a finding about it lies.
import type ts from 'typescript-api';
import type { Names } from './names.ts';
import type { Call } from './witness/calls.ts';
import type { Way } from './witness/client.ts';

// How deep namespaces are looked into.
export const DEEPEST_NAMESPACE = 3;

export interface EntryPair {
  subpath: string;
  // What an import of it names; of names that are there for everyone, the package.
  specifier: string;
  isGlobal?: boolean;
  old: Names;
  next: Names;
}

// Where a finding lies, and how code reaches it.
export interface Place {
  name: string;
  subpath: string;
  way: Way;
}

export interface Pair {
  way: Way;
  label: string;
  subpath: string;
  old: ts.Symbol;
  next: ts.Symbol;
  depth: number;
  // The module was one thing and still is: its names are told as those of the module.
  staysWhole?: boolean;
  // The entry point passes the name on as a type alone.
  isTypeNow?: boolean;
}

export type Callee = Pick<Call, 'way' | 'member' | 'least' | 'isMade'>;
