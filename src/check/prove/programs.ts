// The programs of a project: one for each tsconfig with the files below it. Plugins, output and references are left aside.
import ts from 'typescript-api';
import type { SourceFile } from '../../domain/uses/project.ts';
import type { ProjectHost } from './project-host.ts';

const CHECKED = /\.[cm]?[jt]sx?$/;
const MAX_PROGRAMS = 40;

const PLAIN: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
  esModuleInterop: true,
  strict: true,
  experimentalDecorators: true,
};

const ALWAYS: ts.CompilerOptions = {
  noEmit: true,
  skipLibCheck: true,
  allowJs: true,
  incremental: false,
  composite: false,
  declaration: false,
  tsBuildInfoFile: undefined as never,
  plugins: undefined as never,
  noUnusedLocals: false,
  noUnusedParameters: false,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
};

export interface ProjectProgram {
  program: ts.Program;
  // The project's own files of the program.
  files: readonly ts.SourceFile[];
}

interface ProgramFiles {
  // The files below each tsconfig; those below none are under null.
  groups: [config: string | null, files: readonly SourceFile[]][];
  // Wanted files of further programs.
  leftOut: number;
}

type Wanted = (file: SourceFile) => boolean;

export function programFiles(files: readonly SourceFile[], isWanted: Wanted = () => true): ProgramFiles {
  const configs = files
    .filter(({ path }) => /(?:^|\/)[tj]sconfig\.json$/.test(path))
    .map(({ path }) => ({ path, folder: path.slice(0, path.lastIndexOf('/') + 1) }))
    .sort((a, b) => b.folder.length - a.folder.length || (a.path < b.path ? 1 : -1));
  const sources = files.filter(({ path }) => CHECKED.test(path));
  const groups = Map.groupBy(
    sources,
    ({ path }) => configs.find(({ folder }) => path.startsWith(folder))?.path ?? null,
  );
  const all = [...groups].filter(([, group]) => group.some(isWanted));
  return {
    groups: all.slice(0, MAX_PROGRAMS),
    leftOut: all.slice(MAX_PROGRAMS).reduce((sum, [, group]) => sum + group.filter(isWanted).length, 0),
  };
}

interface ProgramOptions {
  // Of which files somebody wants to know; the others come along where they are imported, or declare something for all.
  isWanted?: Wanted;
  // Modules that are needed although no file imports them.
  modules?: readonly string[];
}

// Programs are made one after the other, because each is large.
export function* projectPrograms(
  host: ProjectHost,
  files: readonly SourceFile[],
  { isWanted = () => true, modules = [] }: ProgramOptions = {},
): Generator<ProjectProgram> {
  for (const [config, group] of programFiles(files, isWanted).groups) {
    const wanted = group.filter(isWanted).map(({ path }) => `${host.root}/${path}`);
    const [first = ''] = wanted;
    const options = optionsOf(host, config);
    const compilerHost = host.compilerHost(options);
    const forAll = group.filter(declaresForAll).map(({ path }) => `${host.root}/${path}`);
    const beside = modules.flatMap((name) => declarationsOf(name, first, options, compilerHost));
    const rootNames = [...new Set([...wanted, ...forAll, ...beside])];
    const program = ts.createProgram({ rootNames, options, host: compilerHost });
    yield { program, files: wanted.flatMap((name) => program.getSourceFile(name) ?? []) };
  }
}

// Whether a file declares names that others have without importing it.
function declaresForAll({ path, text }: SourceFile): boolean {
  return (
    /\.d\.[cm]?ts$/.test(path) || /\bdeclare\s+(?:global|module)\b/.test(text) || !/\b(?:import|export)\b/.test(text)
  );
}

// The files that a project gets by a specifier, by import and by require.
export function filesNamed(
  specifier: string,
  from: string,
  options: ts.CompilerOptions,
  host: ts.CompilerHost,
): ts.ResolvedModuleFull[] {
  const modes = [ts.ModuleKind.ESNext, ts.ModuleKind.CommonJS] as ts.ResolutionMode[];
  return modes.flatMap((mode) => {
    return ts.resolveModuleName(specifier, from, options, host, undefined, undefined, mode).resolvedModule ?? [];
  });
}

function declarationsOf(specifier: string, from: string, options: ts.CompilerOptions, host: ts.CompilerHost): string[] {
  return filesNamed(specifier, from, options, host).flatMap(({ extension, resolvedFileName }) => {
    return /^\.d\.[cm]?ts$/.test(extension) ? [resolvedFileName] : [];
  });
}

function optionsOf(host: ProjectHost, config: string | null): ts.CompilerOptions {
  if (config === null) return { ...PLAIN, ...ALWAYS };
  const path = `${host.root}/${config}`;
  const folder = path.slice(0, path.lastIndexOf('/'));
  const parseHost = host.parseHost();
  const read = ts.readConfigFile(path, (name) => parseHost.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(read.config ?? {}, parseHost, folder, undefined, path);
  const resolution = options.moduleResolution ?? (options.module === undefined ? PLAIN.moduleResolution : undefined);
  return {
    ...options,
    ...(options.module === undefined && { module: PLAIN.module }),
    ...(resolution !== undefined && { moduleResolution: resolution }),
    ...(options.target === undefined && { target: PLAIN.target }),
    ...(options.jsx === undefined && { jsx: PLAIN.jsx }),
    ...ALWAYS,
  } as ts.CompilerOptions;
}
