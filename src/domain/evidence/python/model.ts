// What is read of a Python package: its modules with the names they bind, in plain data.

export interface PythonParameter {
  name: string;
  // How it may be given.
  kind: 'positional' | 'either' | 'keyword' | 'all_positional' | 'all_keywords';
  hasDefault: boolean;
}

export interface PythonFunction {
  kind: 'function';
  name: string;
  parameters: readonly PythonParameter[];
  // Dotted names, null for what is no name.
  decorators: readonly (string | null)[];
  // An `__init__` that gives what it was given by name to that of its base: how many arguments it adds by their place, which
  // names it adds, and which it takes out.
  handsOn: { places: number; names: readonly string[]; taken: readonly string[] } | null;
  // Its body hands on what wraps it: `functools.wraps`.
  isWrapper: boolean;
}

export interface PythonField {
  name: string;
  hasDefault: boolean;
  isKeywordOnly: boolean;
}

export interface PythonClass {
  kind: 'class';
  name: string;
  // Dotted names, null for what is no name.
  bases: readonly (string | null)[];
  hasMetaclass: boolean;
  decorators: readonly (string | null)[];
  // The arguments of the decorators, as they are written.
  decoration: string;
  members: Map<string, Definition[]>;
  // What methods assign to `self`, and what is annotated without a value.
  instanceNames: Set<string>;
  // Annotated names, of which data classes make their constructor.
  fields: PythonField[];
}

export interface PythonValue {
  kind: 'value';
  // The name that it is another name for.
  alias: string | null;
  // The function that made it: `TypeVar`.
  madeBy: string | null;
}

export interface PythonImport {
  kind: 'import';
  module: string;
  // Null for the module itself.
  name: string | null;
}

export type Definition = PythonFunction | PythonClass | PythonValue | PythonImport;

export interface PythonModule {
  // Dotted.
  name: string;
  isPackage: boolean;
  // It is known to be there and nothing else: compiled, without declarations.
  isOpaque: boolean;
  names: Map<string, Definition[]>;
  // Null when there is no list, or one that cannot be read.
  all: readonly string[] | null;
  hasAll: boolean;
  // Modules of which all names are taken over.
  stars: string[];
  // `__getattr__` serves names that nothing binds: these texts stand near it.
  lazyNames: ReadonlySet<string> | null;
  // Names are bound by what can only be known at run time.
  isDynamic: boolean;
}

export function emptyModule(name: string, isPackage: boolean): PythonModule {
  return {
    name,
    isPackage,
    isOpaque: false,
    names: new Map(),
    all: null,
    hasAll: false,
    stars: [],
    lazyNames: null,
    isDynamic: false,
  };
}
