// What Python files use of packages: imports, and attributes that are read from what was imported.
import type { PackageTouch, PackageUses, SourceFile } from './project.ts';

const MAX_LINE_LENGTH = 10_000;
// Packages whose module has another name.
const MODULES: Readonly<Record<string, string>> = {
  pyyaml: 'yaml',
  pillow: 'PIL',
  beautifulsoup4: 'bs4',
  'scikit-learn': 'sklearn',
  'scikit-image': 'skimage',
  'opencv-python': 'cv2',
  'python-dateutil': 'dateutil',
  'python-dotenv': 'dotenv',
  pyjwt: 'jwt',
  'psycopg2-binary': 'psycopg2',
  protobuf: 'google.protobuf',
  setuptools: 'setuptools',
};

// The module by which a package is imported.
export function moduleOf(packageName: string): string {
  const name = packageName.toLowerCase().replace(/[._]/g, '-');
  return MODULES[name] ?? name.replaceAll('-', '_');
}

// By the first name of the module.
export function readPython(files: readonly SourceFile[]): ReadonlyMap<string, PackageUses> {
  const modules = new Map<string, PackageUses>();
  for (const { path, text } of files) {
    const lines = logicalLines(text);
    const bound = new Map<string, readonly string[]>();
    const add = (names: readonly string[], line: number, kind: PackageTouch['kind'], isOpen = false) => {
      const [first = '', ...rest] = names;
      const known = modules.get(first) ?? { touches: [], unclear: [] };
      modules.set(first, known);
      const at = { lines: rest.map(() => line), carried: 0, line, file: path, subpath: '.' };
      known.touches.push({
        path: rest,
        ...at,
        kind,
        how: 'import',
        isOpen,
        isComputed: false,
        given: null,
        isGenerated: false,
      });
    };
    for (const { text: code, line } of lines) {
      const imported = importedNames(code);
      for (const { local, names, isAll } of imported) {
        add(names, line, isAll ? 'value' : 'import', isAll);
        if (!isAll) bound.set(local, names);
      }
      if (imported.length > 0) continue;
      for (const match of code.matchAll(/(?<![\w.])([A-Za-z_]\w*)((?:\s*\.\s*[A-Za-z_]\w*)*)(\s*=(?!=))?/g)) {
        const [, name = '', members = '', isGiven] = match;
        const names = bound.get(name);
        if (!names || (isGiven && members === '')) continue;
        const isGetattr = /\b(?:getattr|vars|dir)\s*\(\s*$/.test(code.slice(0, match.index));
        add(
          [
            ...names,
            ...members
              .split('.')
              .map((one) => one.trim())
              .filter(Boolean),
          ],
          line,
          'value',
          isGetattr,
        );
      }
    }
  }
  return modules;
}

interface Imported {
  local: string;
  names: readonly string[];
  isAll: boolean;
}

function importedNames(code: string): Imported[] {
  const from = /^\s*from\s+([A-Za-z_][\w.]*)\s+import\s+\(?([^)]*)\)?\s*$/.exec(code);
  if (from) {
    const [, module = '', list = ''] = from;
    return list.split(',').flatMap((item): Imported[] => {
      const [, name, alias] = /^\s*([A-Za-z_]\w*|\*)(?:\s+as\s+(\w+))?\s*$/.exec(item) ?? [];
      if (name === undefined) return [];
      if (name === '*') return [{ local: '', names: module.split('.'), isAll: true }];
      return [{ local: alias ?? name, names: [...module.split('.'), name], isAll: false }];
    });
  }
  const plain = /^\s*import\s+(.+)$/.exec(code);
  return (plain?.[1] ?? '').split(',').flatMap((item): Imported[] => {
    const [, module, alias] = /^\s*([A-Za-z_][\w.]*)(?:\s+as\s+(\w+))?\s*$/.exec(item) ?? [];
    if (module === undefined) return [];
    const [first = ''] = module.split('.');
    return [{ local: alias ?? first, names: alias ? module.split('.') : [first], isAll: false }];
  });
}

// Lines without comments and texts; what stands in brackets is one line, as is what ends in a backslash.
function logicalLines(text: string): { text: string; line: number }[] {
  const plain = text.replace(
    /[rbfuRBFU]{0,2}("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|#[^\n]*/g,
    (match) => match.replace(/[^\n]/g, ' '),
  );
  const found: { text: string; line: number }[] = [];
  let [open, depth] = ['', 0];
  let start = 1;
  plain.split('\n').forEach((raw, index) => {
    const line = raw.slice(0, MAX_LINE_LENGTH);
    if (open === '') start = index + 1;
    // Only an import goes over several lines as one; elsewhere each name keeps its own line.
    const isImport = /^\s*from\b/.test(open === '' ? line : open);
    depth = isImport ? depth + line.split('(').length - line.split(')').length : 0;
    open += `${line.replace(/\\\s*$/, ' ')} `;
    if (isImport && (depth > 0 || /\\\s*$/.test(line)) && index - start < 500) return;
    found.push({ text: open, line: start });
    open = '';
    depth = 0;
  });
  return found;
}
