// Errors that a project's own files have only with the new version of a package: the surest answer there is.
import ts from 'typescript-api';
import type { SourceFile } from '../../domain/uses/project.ts';
import { projectPrograms } from './programs.ts';
import type { ProjectHost } from './project-host.ts';

export interface NewError {
  file: string;
  line: number;
  code: string;
  message: string;
}

const MAX_MESSAGE_LENGTH = 500;
const MAX_ERRORS = 200;

export function newErrors(old: ProjectHost, next: ProjectHost, files: readonly SourceFile[]): NewError[] {
  const before = new Map<string, number>();
  for (const one of errorsOf(old, files)) before.set(keyOf(one), (before.get(keyOf(one)) ?? 0) + 1);
  const found: NewError[] = [];
  for (const one of errorsOf(next, files)) {
    const left = before.get(keyOf(one)) ?? 0;
    before.set(keyOf(one), left - 1);
    if (left <= 0 && found.length < MAX_ERRORS) found.push(one);
  }
  return found;
}

// The words of an error name versions of types; its place and kind stay the same.
function keyOf({ file, line, code }: NewError): string {
  return `${file}:${line} ${code}`;
}

const NO_TYPES = 2688;

// A package of types that the compiler is told to take in, and that has none any more.
function missingTypes(program: ts.Program, { root }: ProjectHost): NewError[] {
  const { configFilePath } = program.getCompilerOptions();
  const path = typeof configFilePath === 'string' ? configFilePath.slice(root.length + 1) : 'package.json';
  return program.getOptionsDiagnostics().flatMap(({ code, messageText }) => {
    if (code !== NO_TYPES) return [];
    const [first = ''] = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n');
    return [{ file: path, line: 1, code: `TS${code}`, message: first.slice(0, MAX_MESSAGE_LENGTH) }];
  });
}

function* errorsOf(host: ProjectHost, files: readonly SourceFile[]): Generator<NewError> {
  for (const { program, files: own } of projectPrograms(host, files)) {
    yield* missingTypes(program, host);
    for (const file of own) {
      if (!/\.[cm]?tsx?$/.test(file.fileName)) continue;
      for (const { start = 0, code, messageText } of program.getSemanticDiagnostics(file)) {
        const message = ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, MAX_MESSAGE_LENGTH);
        const line = file.getLineAndCharacterOfPosition(start).line + 1;
        yield { file: file.fileName.slice(host.root.length + 1), line, code: `TS${code}`, message };
      }
    }
  }
}
