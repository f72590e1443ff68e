// requirements.txt: pins, ranges, repositories, folders and archives, with what pip-compile notes behind them.
import { linesOf } from './block-lines.ts';
import { shortRef } from './npm.ts';
import { elsewhere } from './npm-specs.ts';
import { isName, type LockedPackage, PackageList } from './types.ts';

// `name[extra]==1.2.3 ; marker`, with a pin or any other range.
const REQUIREMENT =
  /^([A-Za-z0-9](?:[\w.-]{0,212}[A-Za-z0-9])?)\s*(?:\[[^\]]{0,200}\])?\s*\(?((?:[<>=!~]=?=?[^;#()]{1,190})?)\)?\s*(?:[;#].*)?$/;
const AT_ADDRESS = /^([A-Za-z0-9][\w.-]{0,213})\s*(?:\[[^\]]{0,200}\])?\s*@\s*(\S{1,1000})/;
const EDITABLE = /^(?:-e|--editable)[\s=]+(\S{1,1000})/;

export function readRequirements(text: string): PackageList {
  const list = new PackageList('pypi');
  const lines: { locked: LockedPackage; requiredBy: string[] }[] = [];
  for (const raw of linesOf(text)) {
    if (raw.length > 2000) continue;
    const via = viaOf(raw);
    if (via) lines.at(-1)?.requiredBy.push(...via);
    const locked = requirementCopy(list, raw);
    if (locked) lines.push({ locked, requiredBy: viaOf(raw.slice(raw.indexOf('#'))) ?? [] });
  }
  // Without notes on who asks for a package, the project itself names all of them.
  const isCompiled = lines.some(({ requiredBy }) => requiredBy.length > 0);
  for (const { locked, requiredBy } of lines) {
    const isNamed = !isCompiled || requiredBy.length === 0 || requiredBy.some(isFile);
    if (isNamed) list.name('', locked.name.toLowerCase(), locked);
  }
  list.knowsDirect();
  return list;
}

function requirementCopy(list: PackageList, raw: string): LockedPackage | null {
  // Hashes and options behind the requirement are cut off; often they have lines of their own.
  const line = (raw.trimStart().startsWith('-') ? raw : (raw.split(/\s--|\\$/, 1)[0] ?? '')).trim();
  if (line === '' || line.length > 1000 || line.startsWith('#')) return null;
  const editable = EDITABLE.exec(line)?.[1];
  const [, named, address = editable] = AT_ADDRESS.exec(line) ?? [];
  if (address !== undefined) {
    const other = elsewhere(address.replace(/^(?:hg|svn|bzr)\+/, 'git+'));
    const name = named ?? /[#&]egg=([\w.-]{1,214})/.exec(address)?.[1];
    return other && name ? list.add(name, shortRef(commitIn(other.ref)), { ...other }) : null;
  }
  if (line.startsWith('-')) return null;
  const [, name, range = ''] = REQUIREMENT.exec(line) ?? [];
  return name !== undefined && range !== '' ? list.add(name, pinOrRange(range.trim()), {}) : null;
}

// `…/repository.git@commit#egg=name`
function commitIn(address: string): string {
  const plain = address.split('#', 1)[0] ?? '';
  const at = plain.lastIndexOf('@');
  return at > plain.lastIndexOf('/') ? plain.slice(at + 1) : plain;
}

// Who asks for a package, by the comment of pip-compile and uv: `# via flask`, or one name a line below `# via`.
function viaOf(line: string): string[] | null {
  const first = /^\s*#\s*via(?:\s+(.*))?$/.exec(line);
  if (first)
    return (first[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
  const next = /^\s+#\s{2,}(\S.*)$/.exec(line)?.[1];
  return next === undefined ? null : [next.trim()];
}

function isFile(text: string): boolean {
  return /^-[rc]\s|\((?:pyproject\.toml|setup\.(?:py|cfg))\)|\.(?:in|txt|toml)$/.test(text);
}

// Every package that is named, with or without a pin.
export function requirementsNamed(text: string): string[] {
  return [...linesOf(text)].flatMap((line) => {
    if (line.length > 2000 || /^\s*(?:[-#./]|[a-z+]+:)/i.test(line)) return [];
    return requirementName(line) ?? [];
  });
}

// The name in a requirement such as `requests[socks]>=2`.
export function requirementName(text: string): string | null {
  const name = /^\s*([A-Za-z0-9](?:[\w.-]{0,212}[A-Za-z0-9])?)/.exec(text)?.[1];
  return name !== undefined && isName(name) ? name : null;
}

function pinOrRange(range: string): string {
  const pin = /^===?\s*([^\s,*]+)$/.exec(range);
  return pin?.[1] ?? range;
}
