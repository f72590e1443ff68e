// What a function, a method or a class takes, as its callers see it.
import { constructorOf, lineageOf } from './classes.ts';
import type { PythonClass, PythonFunction, PythonParameter } from './model.ts';
import type { Names, Target } from './package.ts';

interface Callable {
  // Null when that cannot be told.
  parameters: readonly PythonParameter[] | null;
  // A decorator may have changed it.
  isSure: boolean;
}

// They hand on the arguments of what they decorate.
const TRANSPARENT =
  /(?:^|\.)(?:staticmethod|classmethod|abstractmethod|abstractclassmethod|abstractstaticmethod|contextmanager|asynccontextmanager|lru_cache|cache|wraps|final|override|deprecated|coroutine|no_type_check|total_ordering|runtime_checkable|_overload_dummy|setupmethod|asyncio\.coroutine)$/;
const NOT_CALLED =
  /(?:^|\.)(?:property|cached_property|setter|getter|deleter|overload|singledispatch|singledispatchmethod|locked_cached_property|hybrid_property|abstractproperty|fixture|classproperty)$/;

export function callableOf(
  names: Names,
  { module, definition }: Target & { kind: 'definition' },
  owner: PythonClass | null = null,
): Callable | null {
  if (definition.kind === 'class') {
    return { parameters: constructorOf(lineageOf(names, { module, definition })), isSure: true };
  }
  if (definition.kind !== 'function') return null;
  const kinds = definition.decorators.map((name) => decoratorKind(names, module, name));
  if (kinds.includes('unknown')) return null;
  const isFree = owner === null || definition.decorators.some((name) => /(?:^|\.)staticmethod$/.test(name ?? ''));
  const parameters = isFree ? definition.parameters : withoutReceiver(definition);
  return { parameters, isSure: true };
}

function withoutReceiver({ parameters }: PythonFunction): readonly PythonParameter[] {
  const [first, ...rest] = parameters;
  return first?.kind === 'all_positional' ? parameters : rest;
}

function decoratorKind(names: Names, module: string, name: string | null): 'transparent' | 'unknown' {
  if (name === null || NOT_CALLED.test(name)) return 'unknown';
  if (TRANSPARENT.test(name)) return 'transparent';
  const found = names.resolve(module, name);
  return found?.kind === 'definition' && found.definition.kind === 'function' && found.definition.isWrapper
    ? 'transparent'
    : 'unknown';
}
