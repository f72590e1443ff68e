// Generated changelog files for property tests: what breaks slicing is all here, in small.

import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';

const heading = fc.constantFrom(
  '# Changelog\n',
  '## 1.2.0 (2024-02-01)\n',
  '###\n',
  '   ## indented ##\n',
  '#### deep\n',
  '#tag\n',
  '## 😀\n',
);
const fence = fc.constantFrom(
  '```\n',
  '```js\n',
  '````\n',
  '~~~\n',
  '  ```\n',
  '    ```\n',
  '- ```sh\n',
  '``` a`b\n',
  '~~~~ x\n',
  '```  \n',
);
const line = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n',
    '* fix: a crash (#12)\n',
    '  - nested\n',
    ' \t \n',
    'text without end',
    '<|endoftext|>\n',
    '😀👩‍👩‍👧\n',
    '漢字仮名\n',
  ),
  fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => `${text.replaceAll('\r', '')}\n`),
  fc.constantFrom('\ud83d', '\ude00', '\ud83d\n', ' '),
);
const longLine = fc
  .tuple(fc.constantFrom('a', 'word ', '😀', '漢', '- ', '#'), fc.integer({ min: 100, max: 1500 }))
  .map(([unit, times]) => `${unit.repeat(times)}\n`);

// A file of up to some ten thousand characters without carriage returns.
export const markdownFile = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: heading },
      { weight: 3, arbitrary: fence },
      { weight: 8, arbitrary: line },
      { weight: 1, arbitrary: longLine },
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((lines) => lines.join(''));
