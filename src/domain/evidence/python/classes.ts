// The members of a class with those of its bases inside of the package.
import type { Definition, PythonClass, PythonField, PythonFunction, PythonParameter } from './model.ts';
import type { ClassTarget, Names } from './package.ts';

export interface Lineage {
  // The class, then its bases inside of the package.
  classes: readonly ClassTarget[];
  // Names that bases of Python itself bring along.
  builtins: ReadonlySet<string>;
  // A base of another package, or something else that may bring names along.
  isOpen: boolean;
  // Such a base is an exception, a container or the like, which makes its instances itself.
  hasBuiltinBase: boolean;
}

const OBJECT = '__class__ __doc__ __eq__ __hash__ __init__ __new__ __repr__ __str__';
const EXCEPTION = 'args with_traceback add_note';
const OS_ERROR = `${EXCEPTION} errno strerror filename filename2`;
const MAPPING = 'get keys values items';
const DICT = `${MAPPING} clear copy fromkeys pop popitem setdefault update`;
const LIST = 'append clear copy count extend index insert pop remove reverse sort';
const TEXT =
  'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill';
const NUMBER =
  'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real to_bytes';
const BUILTINS: Readonly<Record<string, string>> = {
  object: '',
  type: 'mro',
  ABC: 'register',
  Generic: '',
  Protocol: '',
  Enum: 'name value',
  IntEnum: `name value ${NUMBER}`,
  Flag: 'name value',
  IntFlag: `name value ${NUMBER}`,
  StrEnum: `name value ${TEXT}`,
  BaseException: EXCEPTION,
  OSError: OS_ERROR,
  IOError: OS_ERROR,
  ConnectionError: OS_ERROR,
  TimeoutError: OS_ERROR,
  FileNotFoundError: OS_ERROR,
  SystemExit: `${EXCEPTION} code`,
  StopIteration: `${EXCEPTION} value`,
  KeyboardInterrupt: EXCEPTION,
  Warning: EXCEPTION,
  dict: DICT,
  Dict: DICT,
  OrderedDict: `${DICT} move_to_end`,
  defaultdict: `${DICT} default_factory`,
  UserDict: `${DICT} data`,
  Mapping: MAPPING,
  MutableMapping: DICT,
  list: LIST,
  List: LIST,
  tuple: 'count index',
  Tuple: 'count index',
  NamedTuple: 'count index',
  Sequence: 'count index',
  MutableSequence: LIST,
  set: 'add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop remove symmetric_difference symmetric_difference_update union update',
  frozenset: 'copy difference intersection isdisjoint issubset issuperset symmetric_difference union',
  str: TEXT,
  int: NUMBER,
  float: `${NUMBER} fromhex hex`,
  bool: NUMBER,
  Iterator: '',
  Iterable: '',
  Callable: '',
  Hashable: '',
  Sized: '',
  Container: '',
  Collection: '',
  Awaitable: '',
  ContextManager: '',
  AsyncContextManager: '',
  AbstractContextManager: '',
  TypedDict: DICT,
};
// They take whatever their class takes.
const PLAIN_BASES =
  /^(?:object|ABC|Generic|Protocol|Iterator|Iterable|Callable|Hashable|Sized|Container|Collection|Awaitable|Mapping|MutableMapping|Sequence|MutableSequence|ContextManager|AsyncContextManager|AbstractContextManager)$/;

const MAX_BASES = 100;

export function lineageOf(names: Names, start: ClassTarget): Lineage {
  const visited: ClassTarget[] = [];
  const builtins = new Set(OBJECT.split(' '));
  const seen = new Set<PythonClass>();
  let [isOpen, hasBuiltinBase] = [false, false];
  const visit = (one: ClassTarget): void => {
    visited.push(one);
    if (seen.has(one.definition)) return;
    if (seen.size >= MAX_BASES) {
      isOpen = true;
      return;
    }
    seen.add(one.definition);
    isOpen ||= one.definition.hasMetaclass || isServing(one.definition);
    for (const base of one.definition.bases) {
      const found = base === null ? null : names.resolve(one.module, base);
      if (found?.kind === 'definition' && found.definition.kind === 'class') {
        visit({ module: found.module, definition: found.definition });
        continue;
      }
      const known =
        base === null || found?.kind === 'definition' || found?.kind === 'module' ? null : builtinBase(base);
      if (known === null) isOpen = true;
      else {
        for (const name of known.members) builtins.add(name);
        hasBuiltinBase ||= !known.isPlain;
      }
    }
  };
  visit(start);
  // Of a base that is reached twice the last place counts.
  const classes = visited.filter(
    ({ definition }, index) => visited.findLastIndex((one) => one.definition === definition) === index,
  );
  return { classes, builtins, isOpen, hasBuiltinBase };
}

function builtinBase(base: string): { members: readonly string[]; isPlain: boolean } | null {
  const name = base.split('.').at(-1) ?? '';
  const listed = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
  const members =
    listed ??
    (/^[A-Z]\w*(?:Error|Exception|Warning)$/.test(name) && !base.includes('.') && STANDARD_ERROR.test(name)
      ? EXCEPTION
      : null);
  if (members === null) return null;
  return { members: members.split(' '), isPlain: PLAIN_BASES.test(name) };
}

const STANDARD_ERROR =
  /^(?:Exception|ArithmeticError|AssertionError|AttributeError|BufferError|EOFError|ImportError|ModuleNotFoundError|LookupError|IndexError|KeyError|MemoryError|NameError|NotImplementedError|OverflowError|PermissionError|RecursionError|ReferenceError|RuntimeError|StopAsyncIteration|SyntaxError|SystemError|TypeError|UnicodeError|ValueError|ZeroDivisionError|UserWarning|DeprecationWarning|PendingDeprecationWarning|FutureWarning|RuntimeWarning|ImportWarning|ResourceWarning|SyntaxWarning)$/;

// Asked for a name that nothing binds, it may have one.
function isServing({ members }: PythonClass): boolean {
  return members.has('__getattr__') || members.has('__getattribute__');
}

export function memberOf({ classes }: Lineage, name: string): { owner: ClassTarget; definitions: Definition[] } | null {
  for (const owner of classes) {
    const definitions = owner.definition.members.get(name);
    if (definitions) return { owner, definitions };
  }
  return null;
}

export function hasMember(lineage: Lineage, name: string): boolean {
  if (memberOf(lineage, name) !== null || lineage.builtins.has(name)) return true;
  return lineage.classes.some(({ definition }) => definition.instanceNames.has(name));
}

const DATA_CLASS = /(?:^|\.)(?:dataclass|pydantic_dataclass)$/;
const ATTRS_CLASS = /(?:^|\.)(?:define|frozen|mutable|attrs|dataclass_transform)$|^(?:attr|attrs)\.(?:s|dataclass)$/;

// What a class takes when it is called; null when that cannot be told.
export function constructorOf(lineage: Lineage): readonly PythonParameter[] | null {
  for (const [index, { definition }] of lineage.classes.entries()) {
    if (definition.hasMetaclass) return null;
    const own = definition.members.get('__init__') ?? definition.members.get('__new__');
    if (own) {
      const [only, more] = own;
      if (more || only?.kind !== 'function' || only.decorators.length > 0) return null;
      return withHandedOn(only, { ...lineage, classes: lineage.classes.slice(index + 1) });
    }
    if (isMadeOfFields(definition)) return fieldParameters(lineage.classes.slice(index));
    if (definition.decorators.some((name) => name === null || !isHarmless(name))) return null;
  }
  return lineage.isOpen || lineage.hasBuiltinBase ? null : [];
}

// What the class takes is told by its base as well, which may be called otherwise.
export function isHandedOn({ classes }: Lineage): boolean {
  const [made] = classes.flatMap(({ definition }) => definition.members.get('__init__')?.[0] ?? []);
  return made?.kind === 'function' && made.handsOn !== null;
}

// What is handed on to the base is taken as the base takes it.
function withHandedOn({ parameters, handsOn }: PythonFunction, bases: Lineage): readonly PythonParameter[] {
  const own = parameters.slice(1);
  const all = own.find(({ kind }) => kind === 'all_keywords');
  if (!all || handsOn === null || bases.classes.length === 0) return own;
  const theirs = constructorOf(bases);
  if (theirs === null) return own;
  const known = new Set([...own.map(({ name }) => name), ...handsOn.names]);
  const more = theirs
    .slice(handsOn.places)
    .filter(({ name, kind }) => kind !== 'all_positional' && kind !== 'positional' && !known.has(name));
  const taken = handsOn.taken.filter((name) => !known.has(name) && !more.some((one) => one.name === name));
  return [
    ...own.filter((one) => one !== all),
    ...more.map(
      (one): PythonParameter => (one.kind === 'all_keywords' ? one : { ...one, kind: 'keyword', hasDefault: true }),
    ),
    ...taken.map((name): PythonParameter => ({ name, kind: 'keyword', hasDefault: true })),
  ];
}

function isHarmless(decorator: string): boolean {
  return /(?:^|\.)(?:total_ordering|final|runtime_checkable|unique|deprecated|rich_repr|implements_to_string|implements_iterator|python_2_unicode_compatible|auto)$/.test(
    decorator,
  );
}

function isMadeOfFields({ decorators, bases }: PythonClass): boolean {
  const isNamed = bases.some((base) => base !== null && /(?:^|\.)NamedTuple$/.test(base));
  return isNamed || decorators.some((name) => name !== null && (DATA_CLASS.test(name) || ATTRS_CLASS.test(name)));
}

function fieldParameters(classes: readonly ClassTarget[]): readonly PythonParameter[] | null {
  const fields = new Map<string, PythonField>();
  for (const { definition } of classes.toReversed()) {
    if (!isMadeOfFields(definition)) continue;
    if (/\binit\s*=\s*False/.test(definition.decoration)) return null;
    // Fields that are no annotations are not read.
    if (
      definition.decorators.some((name) => name !== null && /^attrs?\.s$|(?:^|\.)attrs$/.test(name)) &&
      definition.fields.length === 0
    )
      return null;
    const isKeywordOnly = /\bkw_only\s*=\s*True/.test(definition.decoration);
    for (const field of definition.fields)
      fields.set(field.name, { ...field, isKeywordOnly: field.isKeywordOnly || isKeywordOnly });
  }
  return [...fields.values()].map(({ name, hasDefault, isKeywordOnly }) => ({
    name: name.replace(/^_+(?=\w)/, (mark) => (classes[0] && isAttrs(classes[0].definition) ? '' : mark)),
    kind: isKeywordOnly ? 'keyword' : 'either',
    hasDefault,
  }));
}

function isAttrs({ decorators }: PythonClass): boolean {
  return decorators.some((name) => name !== null && ATTRS_CLASS.test(name));
}
