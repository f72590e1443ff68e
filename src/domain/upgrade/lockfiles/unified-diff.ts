// Unified diffs as `git diff` and `diff -u` write them: for each file the lines of both sides, hunk by hunk.

interface DiffHunk {
  // The lines of each side without their marks; context lines are on both sides.
  before: string[];
  after: string[];
}

export interface DiffFile {
  // Path without the prefixes of git; '' where the diff names no file, or the file did not exist on both sides.
  path: string;
  hunks: DiffHunk[];
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;

// The files of a diff; null for a text that is no unified diff. Each line is read once. The header of a hunk says how many
// lines it has, so that a line of text that looks like a header is read as text. A hunk that was cut off counts as far as
// it goes.
export function readUnifiedDiff(text: string): DiffFile[] | null {
  const files: DiffFile[] = [];
  let file: DiffFile | null = null;
  let hunk: DiffHunk | null = null;
  let [left, right] = [0, 0];
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (hunk && (left > 0 || right > 0) && isHunkLine(line)) {
      const mark = line[0];
      const content = line.slice(1);
      if (mark === '\\') continue;
      if (mark !== '+') {
        hunk.before.push(content);
        left -= 1;
      }
      if (mark !== '-') {
        hunk.after.push(content);
        right -= 1;
      }
      continue;
    }
    hunk = null;
    const header = HUNK.exec(line);
    if (header) {
      file ??= added(files, '');
      hunk = { before: [], after: [] };
      file.hunks.push(hunk);
      [left, right] = [Number(header[1] ?? 1), Number(header[2] ?? 1)];
    } else if (line.startsWith('diff --git ')) file = null;
    else if (line.startsWith('--- ')) file = added(files, pathOf(line));
    else if (line.startsWith('+++ ')) {
      file ??= added(files, '');
      file.path = pathOf(line) || file.path;
    }
  }
  const read = files.filter(({ hunks }) => hunks.length > 0);
  return read.length > 0 ? read : null;
}

// An empty line is a context line whose leading blank an editor has removed.
function isHunkLine(line: string): boolean {
  return line === '' || ' +-\\'.includes(line[0] ?? '');
}

function added(files: DiffFile[], path: string): DiffFile {
  const file = { path, hunks: [] };
  files.push(file);
  return file;
}

// The path of a header line; `diff -u` appends a tab and the time.
function pathOf(line: string): string {
  const name = (line.slice(4).split('\t', 1)[0] ?? '').trim().replace(/^"|"$/g, '');
  return name === '/dev/null' ? '' : name.replace(/^[abciow]\//, '');
}
