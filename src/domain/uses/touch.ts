// What a file does with modules, in plain data: it can be kept, and reading it needs no compiler.

// Steps of a path that are no names: the result of a call, an instance, an element of a list.
export const CALLED = '()';
export const INSTANCE = 'new()';
export const ELEMENT = '[]';
export const EXTENDED = 'extends';

export type How = 'import' | 'require' | 'dynamic';

export interface Origin {
  specifier: string;
  path: readonly string[];
  how: How;
}

export interface Touch {
  specifier: string;
  // Names from the module inwards, with the steps of `origins.ts` between them, and the line of each.
  path: readonly string[];
  lines: readonly number[];
  // How many names of the path were reached elsewhere and are only carried by what is read here.
  carried: number;
  line: number;
  // `import`: the name is only bound here. `tested`: by `instanceof`.
  kind: 'import' | 'value' | 'type' | 'tested';
  how: How;
  // What the path leads to goes where it cannot be followed.
  isOpen: boolean;
  // A member of it is read by a name that is known only at run time.
  isComputed: boolean;
  // How many arguments the first call behind the names has; null when there is none, or when that is not known.
  given: number | null;
}

export interface ModuleExports {
  // By exported name; an empty list is a name of the file's own. `=` is the whole of `module.exports`.
  names: ReadonlyMap<string, readonly Origin[]>;
  // Modules of which all names are handed on.
  stars: readonly string[];
}

export const WHOLE = '=';

// Everything that was read of one file.
export interface FileUses {
  touches: readonly Touch[];
  exports: ModuleExports;
  // Lines of loads whose module is known only at run time.
  dynamic: readonly number[];
  // Something of the file may be missing.
  isBroken: boolean;
}
