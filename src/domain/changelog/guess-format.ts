import { isHeadingLine } from '../markdown/line-marks.ts';
import type { ChangelogFormat } from './document-lines.ts';

const LINES_READ = 2000;
const DIRECTIVE = /^\.\. (?:_[^:]|[a-z-]+::)/;
// Marks that markdown does not use below a title.
const ADORNMENT = /^(?:~{4,}|\^{3,}|"{3,}|\*{4,}|\+{3,}|#{7,})\s*$/;

// What a file of unknown suffix is written in. Any markdown heading outweighs signs of reStructuredText.
export function guessFormat(text: string): ChangelogFormat {
  const lines = text.split('\n', LINES_READ);
  if (lines.some((line) => isHeadingLine(line))) return 'markdown';
  const rst = lines.some((line, at) => {
    const title = (lines[at - 1] ?? '').trimEnd();
    return DIRECTIVE.test(line) || (title !== '' && ADORNMENT.test(line) && line.trimEnd().length >= title.length);
  });
  return rst ? 'rst' : 'markdown';
}
