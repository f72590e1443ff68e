// The programs of a project: one for each tsconfig with the files below it. Plugins, output and references are left aside.
import ts from 'typescript-api';
import type { SourceFile } from '../../domain/uses/project.ts';
import type { ProjectHost } from './project-host.ts';

const CHECKED = /\.[cm]?[jt]sx?$/;
const MOST_PROGRAMS = 40;

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

// Groups of files with their options; programs are made one after the other, because each is large.
export function* projectPrograms(host: ProjectHost, files: readonly SourceFile[]): Generator<ProjectProgram> {
  const configs = files
    .filter(({ path }) => /(?:^|\/)[tj]sconfig\.json$/.test(path))
    .map(({ path }) => ({ path, folder: path.slice(0, path.lastIndexOf('/') + 1) }))
    .sort((a, b) => b.folder.length - a.folder.length || (a.path < b.path ? 1 : -1));
  const sources = files.filter(({ path }) => CHECKED.test(path));
  const groups = Map.groupBy(
    sources,
    ({ path }) => configs.find(({ folder }) => path.startsWith(folder))?.path ?? null,
  );
  let count = 0;
  for (const [config, group] of groups) {
    count += 1;
    if (count > MOST_PROGRAMS) return;
    const options = optionsOf(host, config);
    const names = group.map(({ path }) => `${host.root}/${path}`);
    const program = ts.createProgram({ rootNames: names, options, host: host.compilerHost(options) });
    yield { program, files: names.flatMap((name) => program.getSourceFile(name) ?? []) };
  }
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
