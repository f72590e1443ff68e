// Whether what a file reads of a package is a name that is asked for, and what it does with it.
import { camelName } from '../evidence/camel-name.ts';
import type { PackageTouch } from './project.ts';
import { CALLED, ELEMENT, EXTENDED, INSTANCE } from './touch.ts';
import type { Place } from './use.ts';
import type { UseForm } from './use-forms.ts';

export interface Wanted {
  parts: readonly string[];
  // Null: at any entry point.
  subpath: string | null;
  packageName: string;
  isMember: boolean;
  // The name stands for a type alone, which plain JavaScript cannot mean.
  isType?: boolean;
  // The default export, which may have the name of the package, is not meant.
  isOnlyNamed?: boolean;
  // Whether such a use is among those that changed.
  concerns?(form: UseForm): boolean;
  // The name is still a member of the default export.
  isInDefault?: boolean;
  // The names that are exported beside the default, where it was an object with members.
  kept?: ReadonlySet<string> | null;
}

export interface Match {
  touch: PackageTouch;
  line: number;
  // Null for a name that goes on as a value.
  form: UseForm | null;
  // The path names exactly what is asked for.
  isSure: boolean;
}

export function placeOf({ touch: { file }, line }: Match): Place {
  return { file, line };
}

export function matchOf(touch: PackageTouch, wanted: Wanted): Match | null {
  const { parts, packageName } = wanted;
  const whole = defaultUsed(touch, wanted) ?? lostMember(touch, wanted);
  if (whole) return whole;
  const name = parts.at(-1) ?? '';
  if (!touch.path.includes(name)) return null;
  const steps = touch.path
    .map((name, index) => ({ name, index, line: touch.lines[index] ?? touch.line }))
    .filter(({ name }) => name !== INSTANCE && name !== EXTENDED);
  // A name that is gone is gone from the default too, unless that is known to have it still.
  const inDefault = wanted.isOnlyNamed ? [['default', ...parts]] : [];
  const starts = [parts, ...inDefault, ...otherWays(parts, packageName)];
  const isDerived = touch.path
    .slice(0, touch.carried)
    .some((name) => [CALLED, INSTANCE, ELEMENT, EXTENDED].includes(name));
  for (const way of starts) {
    if (way.some((part, index) => steps[index]?.name !== part)) continue;
    const last = steps[way.length - 1];
    // What was made of it elsewhere is read here, not the name itself.
    if (!last || (isDerived && last.index < touch.carried)) continue;
    return { touch, line: last.line, form: formAt(touch, last.index + 1), isSure: true };
  }
  const later = steps.slice(1).find((step) => step.name === name && step.index >= touch.carried);
  return later ? { touch, line: later.line, form: formAt(touch, later.index + 1), isSure: false } : null;
}

// A member of the default export is reached by `require`, by a default import and by a namespace.
function otherWays([first = '', ...rest]: readonly string[], packageName: string): string[][] {
  if (rest.length === 0) return [];
  return first === 'default' || first === camelName(packageName) ? [rest, ['default', ...rest]] : [];
}

const HANDED_ON = ['call', 'apply', 'bind'];

// What is done with a name at its next step. A touch knows the arguments of its first call.
function formAt({ path, carried, given, kind }: PackageTouch, at: number): UseForm | null {
  if (at < carried) return null;
  const step = path[at];
  if (step === undefined) return kind === 'type' ? form('typed') : kind === 'tested' ? form('tested') : null;
  if (step === INSTANCE || step === EXTENDED) return form('made');
  if (step === CALLED) return form('called', path.slice(carried, at).includes(CALLED) ? null : given);
  return step === ELEMENT || HANDED_ON.includes(step) ? null : form('read');
}

function form(how: UseForm['how'], given: number | null = null): UseForm {
  return { how, given };
}

// The default export itself, called, made or extended: by a default import, or as the module that `require` gives.
function defaultUsed(
  touch: PackageTouch,
  { parts: [name = '', ...rest], packageName, isOnlyNamed }: Wanted,
): Match | null {
  if (rest.length > 0 || isOnlyNamed) return null;
  const usual = camelName(packageName);
  const isClass = name !== usual && name.toLowerCase() === usual.toLowerCase();
  if (name !== 'default' && name !== usual && !isClass) return null;
  const { path, lines, line, carried, kind, isOpen } = touch;
  const at = path[0] === 'default' ? 1 : 0;
  const step = path[at];
  const match = { touch, line: lines[at] ?? line, form: formAt(touch, at), isSure: true };
  if (step === undefined) return (kind === 'type' ? at > 0 : kind !== 'import' && !isOpen) ? match : null;
  if (at < carried && [CALLED, INSTANCE, EXTENDED].includes(step)) return null;
  return step === INSTANCE || step === EXTENDED || (step === CALLED && !isClass) ? match : null;
}

// A member of the object that a module for `require` was.
function lostMember(touch: PackageTouch, { kept }: Wanted): Match | null {
  const [name] = touch.path;
  if (!kept || name === undefined || name === 'default' || kept.has(name)) return null;
  return { touch, line: touch.lines[0] ?? touch.line, form: formAt(touch, 1), isSure: true };
}

// Whether the value that goes away may be asked for the name where nobody looks.
export function mayReach({ path, isOpen, isComputed }: PackageTouch, { parts, isMember }: Wanted): boolean {
  if (isComputed && isMember) return true;
  if (!isOpen) return false;
  const names = path.filter((name) => name !== INSTANCE && name !== EXTENDED);
  return (
    names.length === 0 || (names.length === 1 && names[0] === 'default' && parts.length === 1 && parts[0] !== 'default')
  );
}
