// What a package needs around it, against what the project has: the runtime, other packages beside it, commands.
import type { Finding } from '../evidence/finding.ts';
import { IF_INSTALLED } from '../evidence/manifest.ts';
import { admitsVersion, refusedVersion } from '../evidence/ranges.ts';
import { isRecord } from '../records.ts';
import { readVersionRange } from '../upgrade/version-range.ts';
import type { ProjectUses } from './project.ts';
import { readJson } from './resolve.ts';
import { makeUse, type Place, type Use } from './use.ts';

export interface Surroundings {
  // Installed versions by package name.
  installed?: ReadonlyMap<string, readonly string[]>;
  // The Node that runs the check, for a project that names none, and whether that is the job of a CI.
  runtime?: { version: string; isJob: boolean };
}

interface Floor extends Place {
  // A version or a range, as written.
  text: string;
  // The lowest version that is meant; null when that cannot be told.
  lowest: string | null;
}

export function floorUse(uses: ProjectUses, finding: Finding, { installed, runtime }: Surroundings): Use {
  if (finding.kind === 'bin_removed') return commandUse(uses, finding.name.replace(/^bin\./, ''));
  const needed = finding.is ?? '';
  if (finding.kind === 'engines_raised')
    return finding.name === 'engines.node' ? runtimeUse(uses, needed, runtime) : makeUse('unclear');
  const name = finding.name.replace(/^peerDependencies\./, '');
  const versions = installed?.get(name) ?? [];
  if (!installed || readVersionRange(needed) === null) return makeUse('unclear');
  if (versions.length === 0 && finding.text.endsWith(IF_INSTALLED)) return makeUse('not_used');
  if (versions.length === 0) return { ...makeUse('not_met'), has: `no ${name} here` };
  const lacking = versions.filter((version) => !admitsVersion(needed, version));
  const [shown] = lacking.length > 0 ? lacking : versions;
  return { ...makeUse(lacking.length > 0 ? 'not_met' : 'met'), has: `${name} ${shown} here` };
}

function runtimeUse(uses: ProjectUses, needed: string, runtime: Surroundings['runtime']): Use {
  if (readVersionRange(needed) === null) return makeUse('unclear');
  const floors = nodeFloors(uses);
  if (floors.length === 0) return runtime ? witnessUse(needed, runtime) : makeUse('unclear');
  const said = (word: Use['use'], among: readonly Floor[]): Use => {
    const [first] = among;
    return { ...makeUse(word, among), ...(first && { has: `Node ${first.text} in ${first.file}` }) };
  };
  const failing = floors.filter(({ text, lowest }) => isRefused(needed, text, lowest));
  if (failing.length > 0) return said('not_met', failing);
  return floors.some(({ lowest }) => lowest === null) ? makeUse('unclear', floors) : said('met', floors);
}

function witnessUse(needed: string, { version, isJob }: NonNullable<Surroundings['runtime']>): Use {
  const [major, minor] = version.split('.');
  const has = `Node ${major}.${minor} ${isJob ? 'in this job' : 'here'}`;
  return { ...makeUse(admitsVersion(needed, version) ? 'met' : 'not_met'), has };
}

function isRefused(needed: string, text: string, lowest: string | null): boolean {
  if (lowest === null) return false;
  // `20` in a CI file is the newest 20, and `>=18` is everything from 18 on.
  if (/^v?\d+(?:\.\d+)?(?:\.x)?$/.test(text))
    return !admitsVersion(
      needed,
      `${text.replace(/^v|\.x$/g, '')}.999`.split('.').length > 3 ? lowest : highestOf(text),
    );
  if (/^v?\d+\.\d+\.\d+/.test(text)) return !admitsVersion(needed, lowest);
  return refusedVersion(text, needed) !== null;
}

function highestOf(text: string): string {
  const numbers = text.replace(/^v|\.x$/g, '').split('.');
  return [...numbers, '999', '999'].slice(0, 3).join('.');
}

const NODE_NAMES: Readonly<Record<string, string>> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};

// Every place where the project says which Node it runs on.
export function nodeFloors({ manifests }: Pick<ProjectUses, 'manifests'>): Floor[] {
  return manifests.flatMap(floorsIn).filter(({ text }) => text !== '' && text !== '*' && text !== 'x');
}

function floorsIn({ path, text }: ProjectUses['manifests'][number]): Floor[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '.nvmrc' || name === '.node-version') {
    const line = text.split('\n').findIndex((one) => /^[^#\s]/.test(one));
    return line < 0 ? [] : [floor(path, line + 1, text.split('\n')[line]?.trim() ?? '')];
  }
  if (name === 'package.json') return manifestFloors(path, text);
  if (name === '.tool-versions') return inLines(path, text, /^\s*nodejs\s+(\S+)/);
  if (/^Dockerfile|\.Dockerfile$|^Containerfile/.test(name))
    return inLines(path, text, /^\s*FROM\s+(?:\S+\/)?node:(\d[\w.]*)/i);
  return /\.ya?ml$/.test(name) ? workflowFloors(path, text) : [];
}

function floor(file: string, line: number, text: string): Floor {
  const named = NODE_NAMES[text.toLowerCase().replace(/^lts\//, '')] ?? text;
  const range = /^v?\d+(?:\.\d+){0,2}$/.test(named) ? null : readVersionRange(named);
  const plain = /^v?(\d+(?:\.\d+){0,2})(?:\.x)?$/.exec(named)?.[1];
  const lowest = plain
    ? [...plain.split('.'), '0', '0'].slice(0, 3).join('.')
    : range && !range.isAny
      ? range.lowest
      : null;
  return { file, line, text: named, lowest };
}

function manifestFloors(path: string, text: string): Floor[] {
  const manifest = readJson(text);
  if (!isRecord(manifest)) return [];
  const lineOf = (value: string) =>
    Math.max(1, text.split('\n').findIndex((line) => line.includes('"node"') && line.includes(value)) + 1);
  return [manifest.engines, manifest.volta].flatMap((table) => {
    const value = isRecord(table) ? table.node : undefined;
    return typeof value === 'string' ? [floor(path, lineOf(value), value)] : [];
  });
}

function inLines(path: string, text: string, pattern: RegExp): Floor[] {
  return text.split('\n').flatMap((line, index) => {
    const value = pattern.exec(line.slice(0, 500))?.[1];
    return value ? [floor(path, index + 1, value)] : [];
  });
}

// `node-version: 20`, `node-version: [18, 20]`, and lists below a matrix of that name.
function workflowFloors(path: string, text: string): Floor[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const match = /^(\s*)-?\s*["']?(?:node[-_]?versions?|node(?:js)?|image)["']?\s*:\s*(.*)$/i.exec(line.slice(0, 500));
    if (!match) return [];
    const [, indent = '', value = ''] = match;
    const written = /image["']?\s*:/.test(line)
      ? (/\bnode:(\d[\d.]*)/.exec(value)?.[1] ?? '')
      : value.replace(/\s+#.*$/, '');
    const items = written.startsWith('[') ? written.replace(/[[\]]/g, '').split(',') : [written];
    const found = items
      .map((item) => item.trim().replace(/^["']|["']$/g, ''))
      .filter((item) => /^v?\d|^lts\/[a-z]/.test(item));
    const here = found.map((item) => floor(path, index + 1, item));
    if (written !== '') return here;
    const below: Floor[] = [];
    for (let at = index + 1; at < lines.length; at += 1) {
      const item = /^(\s*)-\s*["']?(v?\d[\d.x]*)["']?\s*$/.exec(lines[at] ?? '');
      if (!item || (item[1]?.length ?? 0) < indent.length) break;
      below.push(floor(path, at + 1, item[2] ?? ''));
    }
    return below;
  });
}

// A command of a package: in the scripts of manifests, in CI files, or started by the program.
function commandUse({ manifests, sources, leftOut }: ProjectUses, command: string): Use {
  const word = new RegExp(`(?<![\\w@./-])${command.replace(/[^\w]/g, '\\$&')}(?![\\w./-])`);
  const places = (files: readonly { path: string; text: string }[], test: (line: string) => boolean): Place[] =>
    files.flatMap(({ path, text }) => {
      if (!text.includes(command)) return [];
      return text
        .split('\n')
        .flatMap((line, index) => (test(line.slice(0, 2000)) ? [{ file: path, line: index + 1 }] : []));
    });
  const scripts = manifests.filter(({ path }) => path.endsWith('package.json'));
  const starts = (line: string) => {
    const value = /^\s*"[^"]+"\s*:\s*"(.*)"/.exec(line)?.[1] ?? '';
    return value
      .split(/&&|\|\||[;|&]/)
      .some((part) =>
        new RegExp(
          `^\\s*(?:(?:npx|pnpm|yarn|bunx|exec|dlx|cross-env|\\w+=\\S+|--?\\S+)\\s+)*${command.replace(/[^\w]/g, '\\$&')}(?:\\s|\\\\"|$)`,
        ).test(part),
      );
  };
  const used = places(scripts, starts);
  if (used.length > 0) return makeUse('used', used);
  const others = manifests.filter(({ path }) => !path.endsWith('package.json'));
  const named = [...places(others, (line) => word.test(line)), ...places(sources, (line) => word.test(line))];
  return named.length > 0 || leftOut > 0 ? makeUse('unclear', named) : makeUse('not_used');
}
