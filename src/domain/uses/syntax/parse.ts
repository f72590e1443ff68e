// The syntax tree of a source file, by the compiler's parser: it never gives up on broken syntax, and what nests too deep is an
// error that can be caught. Parsers in native code end the whole process there.
import ts from 'typescript-api';
import { extensionOf } from '../script-blocks.ts';

// Nobody writes longer files by hand.
const MAX_TEXT_LENGTH = 2_000_000;

const KINDS: Readonly<Record<string, ts.ScriptKind>> = {
  ts: ts.ScriptKind.TS,
  mts: ts.ScriptKind.TS,
  cts: ts.ScriptKind.TS,
  tsx: ts.ScriptKind.TSX,
};

export interface Parsed {
  tree: ts.SourceFile;
  // The syntax is broken somewhere, so something may be missing.
  isBroken: boolean;
}

// Null when the text cannot be parsed at all.
export function parseScript(path: string, text: string, language = extensionOf(path)): Parsed | null {
  if (text.length > MAX_TEXT_LENGTH) return null;
  try {
    const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
    // Plain JavaScript may hold JSX.
    const tree = ts.createSourceFile(path, text, options, true, KINDS[language] ?? ts.ScriptKind.JSX);
    const { parseDiagnostics } = tree as unknown as { parseDiagnostics?: readonly unknown[] };
    return { tree, isBroken: (parseDiagnostics?.length ?? 0) > 0 };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
