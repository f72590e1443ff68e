// Where a project has the forms of code that notes speak of.
import { makeUse, type Place } from '../use.ts';
import type { CodeForm } from './forms-in-notes.ts';
import { type PlainCode, plainCode } from './plain-code.ts';

export interface FormSource {
  path: string;
  text: string;
  // The file names the package.
  isNear: boolean;
}

export interface FormPlaces {
  form: string;
  // The first of them, in order.
  places: readonly Place[];
  count: number;
}

// The forms that the project has; each file is made plain once for all of them.
export function findForms(forms: readonly CodeForm[], sources: readonly FormSource[]): FormPlaces[] {
  const found = new Map<CodeForm, Place[]>(forms.map((form) => [form, []]));
  for (const { path, text, isNear } of sources) {
    const wanted = forms.filter((form) => mayHold(text, form));
    if (wanted.length === 0) continue;
    const plain = plainCode(text);
    for (const form of wanted) {
      for (const at of offsetsOf(form, plain, isNear)) found.get(form)?.push({ file: path, line: lineAt(text, at) });
    }
  }
  return [...found].flatMap(([form, all]) => {
    const { places, count } = makeUse('unclear', all);
    return count === 0 ? [] : [{ form: form.text, places, count }];
  });
}

// Words that the text has to hold, before anything of it is read.
function mayHold(text: string, { member, given }: CodeForm): boolean {
  return (member === null || text.includes(member)) && (given === null || text.includes(given));
}

const MAX_PLACES = 200;

function offsetsOf(form: CodeForm, plain: PlainCode, isNear: boolean): number[] {
  return (form.member === null ? textsWith(form, plain, isNear) : callsOf(form, plain, isNear)).slice(0, MAX_PLACES);
}

function callsOf(
  { member, of, given, lacksCallback }: CodeForm,
  { code, texts }: PlainCode,
  isNear: boolean,
): number[] {
  const calls = code.matchAll(new RegExp(String.raw`\.[ \t]{0,20}${escaped(member ?? '')}[ \t]{0,20}\(`, 'g'));
  return [...calls].flatMap((call) => {
    const [whole] = call;
    const [owner = ''] = /[\w$]*(?=[)\]]?\??$)/.exec(code.slice(Math.max(0, call.index - 60), call.index)) ?? [];
    const open = call.index + whole.length;
    // Without the name that the notes give it, only the file of the package can mean it.
    const isMeant = given !== null || (of === null ? isNear : isAlike(owner, of));
    if (!isMeant) return [];
    const inside = code.slice(open, open + 2_000);
    if (given !== null && texts.get(open + leadOf(inside)) !== given) return [];
    if (lacksCallback && !/^\s*\)/.test(inside)) return [];
    return [call.index + whole.length - 1];
  });
}

// `req` is `request` for short.
function isAlike(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length);
  return short === long || (short.length >= 3 && long.startsWith(short));
}

// Texts that are the first argument of a member's call, as those of routes are.
function textsWith({ given, pattern }: CodeForm, { code, texts }: PlainCode, isNear: boolean): number[] {
  if (!isNear) return [];
  const isWanted = pattern === null ? (text: string) => text === given : patternTest(pattern);
  const before = /\.[ \t]*[\w$]+[ \t]*\([ \t\n]{0,100}\[?[ \t]*$/;
  return [...texts].flatMap(([at, text]) =>
    isWanted(text) && before.test(code.slice(Math.max(0, at - 200), at)) ? [at] : [],
  );
}

// Names in a pattern stand for any name. A star alone is a text of its own, or the end of a path.
function patternTest(pattern: string): (text: string) => boolean {
  if (pattern === '*') return (text) => text === '*' || /^\/(?:[^\s*]*\/)?\*(?:$|\/)/.test(text);
  const parts = pattern
    .split(/([A-Za-z_][\w-]*)/)
    .map((part, index) => (index % 2 === 1 ? '[\\w-]{1,60}' : escaped(part)));
  const test = new RegExp(parts.join(''));
  return (text) => test.test(text);
}

function leadOf(inside: string): number {
  return inside.length - inside.trimStart().length;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return line;
}
