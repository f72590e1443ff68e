// The modules of a package together: what a name of a module leads to, through imports, stars and lazy tables.
import type { Definition, PythonClass, PythonModule } from './model.ts';

export type Target =
  | { kind: 'definition'; module: string; definition: Exclude<Definition, { kind: 'import' }> }
  | { kind: 'module'; module: string }
  // Of another package.
  | { kind: 'elsewhere'; module: string; name: string | null }
  // It may be there.
  | { kind: 'unknown' };

const UNKNOWN: Target = { kind: 'unknown' };
const MAX_STEPS = 60;

export class Names {
  readonly modules: ReadonlyMap<string, PythonModule>;
  readonly #tops: ReadonlySet<string>;
  readonly #starred = new Map<string, ReadonlySet<string>>();

  constructor(modules: ReadonlyMap<string, PythonModule>) {
    this.modules = modules;
    this.#tops = new Set([...modules.keys()].map((name) => name.split('.')[0] ?? ''));
  }

  isOwn(module: string): boolean {
    return this.#tops.has(module.split('.')[0] ?? '');
  }

  // Null when the module certainly has no such name.
  find(module: string, name: string, steps = 0): Target | null {
    const found = this.modules.get(module);
    if (steps > MAX_STEPS || !found || found.isOpaque) return UNKNOWN;
    const definitions = found.names.get(name);
    if (definitions) return this.#follow(found, definitions, steps + 1);
    for (const star of found.stars.toReversed()) {
      if (!this.isOwn(star)) {
        if (!isStandard(star)) return UNKNOWN;
      } else if (!this.modules.has(star)) return UNKNOWN;
      else if (star !== module && this.starredNames(star).has(name)) return this.find(star, name, steps + 1);
    }
    if (this.modules.has(`${module}.${name}`)) return { kind: 'module', module: `${module}.${name}` };
    if (found.lazyNames?.has(name) || found.isDynamic) return UNKNOWN;
    return null;
  }

  // A dotted name as it is written inside of a module.
  resolve(module: string, dotted: string): Target | null {
    const [first = '', ...rest] = dotted.split('.');
    let target = this.find(module, first);
    for (const part of rest.slice(0, MAX_STEPS)) {
      if (target === null || target.kind === 'unknown') return target;
      if (target.kind === 'elsewhere') target = { ...target, name: target.name ? `${target.name}.${part}` : part };
      else if (target.kind === 'module') target = this.find(target.module, part);
      else if (target.definition.kind === 'class') {
        const [member] = target.definition.members.get(part) ?? [];
        target = member && member.kind !== 'import' ? { ...target, definition: member } : UNKNOWN;
      } else return UNKNOWN;
    }
    return target;
  }

  // What a star takes over from a module.
  starredNames(module: string): ReadonlySet<string> {
    const known = this.#starred.get(module);
    if (known) return known;
    // A circle of stars ends here.
    const names = new Set<string>();
    this.#starred.set(module, names);
    const found = this.modules.get(module);
    if (!found) return names;
    if (found.all !== null) for (const name of found.all) names.add(name);
    else {
      for (const name of found.names.keys()) if (!name.startsWith('_')) names.add(name);
    }
    for (const star of found.stars) {
      if (found.all === null) for (const name of this.starredNames(star)) names.add(name);
    }
    return names;
  }

  #follow(module: PythonModule, definitions: readonly Definition[], steps: number): Target {
    let best: Target | null = null;
    for (const definition of definitions.slice(0, 4)) {
      const target = this.#one(module, definition, steps);
      if (target.kind === 'definition' && target.definition.kind !== 'value') return target;
      best ??= target;
    }
    return best ?? UNKNOWN;
  }

  #one(module: PythonModule, definition: Definition, steps: number): Target {
    if (definition.kind === 'import') return this.#imported(definition, steps);
    if (definition.kind === 'value' && definition.alias !== null && steps < MAX_STEPS) {
      const [first = ''] = definition.alias.split('.');
      // A name that is another name for itself tells nothing.
      if (module.names.get(first)?.includes(definition)) return { kind: 'definition', module: module.name, definition };
      const target = definition.alias.includes('.') ? null : this.find(module.name, first, steps + 1);
      if (target !== null && target.kind !== 'unknown') return target;
    }
    return { kind: 'definition', module: module.name, definition };
  }

  #imported({ module, name }: Extract<Definition, { kind: 'import' }>, steps: number): Target {
    if (!this.isOwn(module)) return { kind: 'elsewhere', module, name };
    if (name === null) return this.modules.has(module) ? { kind: 'module', module } : UNKNOWN;
    if (this.modules.has(module)) {
      const isSelf = this.modules
        .get(module)
        ?.names.get(name)
        ?.some((one) => one.kind === 'import' && one.module === module && one.name === name);
      const target = isSelf ? null : this.find(module, name, steps + 1);
      if (target !== null) return target;
    }
    return this.modules.has(`${module}.${name}`) ? { kind: 'module', module: `${module}.${name}` } : UNKNOWN;
  }
}

export type ClassTarget = { module: string; definition: PythonClass };

const STANDARD = new Set(
  (
    '__future__ abc argparse array ast asyncio atexit base64 binascii bisect builtins calendar codecs collections concurrent ' +
    'configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis distutils email ' +
    'encodings enum errno fcntl fnmatch fractions ftplib functools gc getopt getpass gettext glob gzip hashlib heapq hmac ' +
    'html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox math ' +
    'mimetypes mmap multiprocessing netrc numbers operator os pathlib pickle pkgutil platform plistlib posixpath pprint ' +
    'profile queue quopri random re resource secrets select selectors shelve shlex shutil signal site smtplib socket ' +
    'socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig tarfile tempfile ' +
    'termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty types typing ' +
    'typing_extensions unicodedata unittest urllib uuid venv warnings wave weakref webbrowser winreg wsgiref xml xmlrpc ' +
    'zipfile zipimport zlib zoneinfo _thread _typeshed StringIO Queue cStringIO urlparse urllib2 cPickle ConfigParser ' +
    'httplib cookielib HTMLParser'
  ).split(' '),
);

// A module of Python itself, from which packages take names for their own use.
export function isStandard(module: string): boolean {
  return STANDARD.has(module.split('.')[0] ?? '');
}
