// A file of the language's library, parsed without its comments: they are half of its text, and no type depends on them.
import ts from 'typescript-api';

export function parseLibraryFile(
  path: string,
  text: string,
  version: ts.ScriptTarget | ts.CreateSourceFileOptions,
  setParents?: boolean,
): ts.SourceFile {
  const options = typeof version === 'object' ? version : { languageVersion: version };
  return ts.createSourceFile(path, text, { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }, setParents);
}
