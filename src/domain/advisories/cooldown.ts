// How old a version has to be before the tools of a project take it. Each tool has a key, a unit and exceptions of its own; what the
// installer refuses is the first answer, what a bot would wait for the second.
import { isRecord } from '../records.ts';
import { compileNameGlob } from './name-glob.ts';

export interface Cooldown {
  // Null where the value has no sense: it is named, and never taken as none.
  minutes: number | null;
  // The file and the key that say so.
  from: string;
  fault: string | null;
  isExcepted: (name: string, version: string) => boolean;
}

// The text of a settings file, or what its JSON, YAML or TOML says.
export interface CooldownFiles {
  '.npmrc'?: string | undefined;
  'pnpm-workspace.yaml'?: unknown;
  '.yarnrc.yml'?: unknown;
  'bunfig.toml'?: unknown;
}

// Each installer by the file of its settings.
export type InstallerFile = keyof CooldownFiles;

const DAY = 24 * 60;

// The rule of the installer whose lockfile the project has; without one there, that of any other that is set.
export function readInstallerCooldown(files: CooldownFiles, own: InstallerFile): Cooldown | null {
  const readers: Record<InstallerFile, () => Cooldown | null> = {
    '.npmrc': () => npmCooldown(files['.npmrc']),
    'pnpm-workspace.yaml': () => pnpmCooldown(files['pnpm-workspace.yaml']),
    '.yarnrc.yml': () => yarnCooldown(files['.yarnrc.yml']),
    'bunfig.toml': () => bunCooldown(files['bunfig.toml']),
  };
  const others = Object.values(readers).filter((read) => read !== readers[own]);
  for (const read of [readers[own], ...others]) {
    const found = read();
    if (found) return found;
  }
  return null;
}

// `min-release-age` in days; a list repeats its key with `[]`.
function npmCooldown(text: string | undefined): Cooldown | null {
  if (text === undefined) return null;
  let value: string | undefined;
  const excepted: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, key, given] = /^\s*([\w-]+)(?:\[\])?\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || given === undefined) continue;
    const plain = given.replace(/\s*[;#].*$/, '').replace(/^(["'])(.*)\1$/, '$2');
    if (key === 'min-release-age') value = plain;
    if (key === 'min-release-age-exclude') excepted.push(...plain.split(/[\s,]+/).filter(Boolean));
  }
  if (value === undefined || value === 'null') return null;
  return cooldownOf(numberIn(value, DAY), { value, from: '.npmrc (min-release-age)', unit: 'days', excepted });
}

function pnpmCooldown(settings: unknown): Cooldown | null {
  if (!isRecord(settings) || settings.minimumReleaseAge === undefined || settings.minimumReleaseAge === null)
    return null;
  const { minimumReleaseAge: value, minimumReleaseAgeExclude: excepted } = settings;
  const from = 'pnpm-workspace.yaml (minimumReleaseAge)';
  return cooldownOf(numberIn(value, 1), { value, from, unit: 'minutes', excepted });
}

function yarnCooldown(settings: unknown): Cooldown | null {
  if (!isRecord(settings) || settings.npmMinimalAgeGate === undefined || settings.npmMinimalAgeGate === null)
    return null;
  const { npmMinimalAgeGate: value, npmPreapprovedPackages: excepted } = settings;
  const minutes = numberIn(value, 1) ?? durationIn(value);
  return cooldownOf(minutes, { value, from: '.yarnrc.yml (npmMinimalAgeGate)', unit: 'minutes', excepted });
}

function bunCooldown(settings: unknown): Cooldown | null {
  const install = isRecord(settings) ? settings.install : undefined;
  if (!isRecord(install) || install.minimumReleaseAge === undefined) return null;
  const { minimumReleaseAge: value, minimumReleaseAgeExcludes: excepted } = install;
  return cooldownOf(numberIn(value, 1 / 60), {
    value,
    from: 'bunfig.toml (minimumReleaseAge)',
    unit: 'seconds',
    excepted,
  });
}

interface BotQuestion {
  name: string;
  // The update repairs a security problem.
  isSecurity: boolean;
}

// What Renovate waits for: the last matching rule decides, and its security updates wait only where their own setting says so.
export function readBotCooldown(settings: unknown, { name, isSecurity }: BotQuestion): Cooldown | null {
  if (!isRecord(settings)) return null;
  const rules = Array.isArray(settings.packageRules) ? settings.packageRules : [];
  const layers = [settings, ...rules.filter((rule) => appliesTo(rule, name))];
  const alerts = isRecord(settings.vulnerabilityAlerts) ? settings.vulnerabilityAlerts : {};
  const said = isSecurity ? [alerts] : layers;
  const value = said
    .map((layer) => (isRecord(layer) ? layer.minimumReleaseAge : undefined))
    .findLast((one) => one !== undefined);
  if (value === undefined || value === null) return null;
  return cooldownOf(durationIn(value), {
    value,
    from: 'renovate.json (minimumReleaseAge)',
    unit: 'time, such as "3 days"',
  });
}

// A rule that asks for more than names may not apply; it is left to the bot.
const NAME_KEYS = ['matchPackageNames', 'matchDepNames', 'matchPackagePatterns', 'matchPackagePrefixes'];

function appliesTo(rule: unknown, name: string): boolean {
  if (!isRecord(rule)) return false;
  const conditions = Object.keys(rule).filter((key) => key.startsWith('match') || key.startsWith('exclude'));
  if (conditions.some((key) => !NAME_KEYS.includes(key))) return false;
  const listed = (key: string) => namesAt(rule[key]);
  return conditions.every((key) => {
    if (key === 'matchPackagePrefixes') return listed(key).some((prefix) => name.startsWith(prefix));
    if (key === 'matchPackagePatterns') return listed(key).includes('*');
    return listed(key).some((pattern) => compileNameGlob(pattern)?.(name) ?? false);
  });
}

interface Setting {
  value: unknown;
  from: string;
  unit: string;
  excepted?: unknown;
}

function cooldownOf(minutes: number | null, { value, from, unit, excepted }: Setting): Cooldown {
  const rules = namesAt(excepted).flatMap(readException);
  const shown = typeof value === 'object' ? 'a list or a group' : String(value).slice(0, 80);
  return {
    minutes,
    from,
    fault: minutes === null ? `${from}: “${shown}” is no number of ${unit}` : null,
    isExcepted: (name, version) => rules.some((rule) => rule(name, version)),
  };
}

// A name, a pattern of names, or `name@1.0.0 || 1.0.1`.
function readException(text: string): ((name: string, version: string) => boolean)[] {
  const at = text.indexOf('@', 1);
  const matches = compileNameGlob(at === -1 ? text : text.slice(0, at));
  if (!matches) return [];
  if (at === -1) return [(name) => matches(name)];
  const versions = text
    .slice(at + 1)
    .split('||')
    .map((one) => one.trim());
  return [(name, version) => matches(name) && versions.includes(version)];
}

const MAX_NAMES = 5_000;

function namesAt(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  return list.filter((one) => typeof one === 'string').slice(0, MAX_NAMES);
}

const MOST_MINUTES = 100 * 365 * DAY;

function numberIn(value: unknown, minutesEach: number): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d{1,12}(?:\.\d{1,6})?$/.test(value)
        ? Number(value)
        : null;
  if (number === null || !Number.isFinite(number) || number < 0) return null;
  const minutes = number * minutesEach;
  return minutes > MOST_MINUTES ? null : minutes;
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, 1 / 60],
  [/^m(?:in(?:ute)?s?)?$/, 1],
  [/^h(?:ours?|rs?)?$/, 60],
  [/^d(?:ays?)?$/, DAY],
  [/^w(?:eeks?)?$/, 7 * DAY],
  [/^mo(?:nths?)?$/, 30 * DAY],
  [/^y(?:ears?|rs?)?$/, 365 * DAY],
];

// `3 days`, `1d`, `36 hours`.
function durationIn(value: unknown): number | null {
  const [, number, word] =
    typeof value === 'string' ? (/^\s*(\d{1,9}(?:\.\d{1,6})?)\s*([a-z]{1,8})\s*$/i.exec(value) ?? []) : [];
  const unit = UNITS.find(([form]) => word !== undefined && form.test(word.toLowerCase()))?.[1];
  return number === undefined || unit === undefined ? null : numberIn(Number(number), unit);
}
