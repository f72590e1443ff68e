// What may be the name of a module in a text, found without parsing: every run of characters behind a quote. Comments, texts and
// regular expressions only add to it, so whatever a parser finds is among them.

const RUN = /(?<=["'`])(?:[^"'`\s\\]|\\[^"'`]){1,1000}/g;
const ESCAPE = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(\r\n|[\s\S]))/gi;

export function mayBeSpecifiers(text: string): Set<string> {
  const runs = new Set(text.match(RUN));
  for (const run of runs) if (run.includes('\\')) runs.add(unescaped(run));
  return runs;
}

export function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, braced, long, short, plain) => {
    const code = Number.parseInt(braced ?? long ?? short ?? '', 16);
    if (Number.isNaN(code)) return /[\r\n\u2028\u2029]/.test(plain) ? '' : plain;
    return code > 0x10ffff ? '' : String.fromCodePoint(code);
  });
}

// Whether the names of files can be found by a scan: those with spaces, quotes or backslashes cannot.
export function isScannable(path: string): boolean {
  return !/["'`\s\\]/.test(path);
}

const LOADER = /\b(?:require|createRequire|(?:import|require)(?:Actual|Mock)|importOriginal)\b|\bimport\s*(?:\/|\()/;
const PLAIN_IMPORT = /\bimport\s*\(\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|`[^`$\\]*`)\s*[,)]/g;

// Whether a file may load a module whose name is known only at run time.
export function mayLoadAnything(text: string): boolean {
  return text.replace(PLAIN_IMPORT, '').search(LOADER) >= 0;
}
