import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { derive, lines } from './notes.fixture.ts';

const BREAKS = ['## Breaking changes', '', '- `connect` takes an object'];

describe('a break below something that is never closed is seen', () => {
  const table: [string, string][] = [
    ['a fence', lines('- Fix the menu', '', '```js', 'run()', '', ...BREAKS)],
    ['a fence of tildes', lines('- Fix the menu', '', '~~~', 'run()', '', ...BREAKS)],
    ['a fence in a list item', lines('- Fix the menu', '  ```js', '  run()', '', ...BREAKS)],
    ['a fence behind a list marker', lines('- ```js', '  run()', '', ...BREAKS)],
    ['a fence in a quote', lines('> ```js', '> run()', '', ...BREAKS)],
    ['a comment', lines('- Fix the menu', '<!-- draft', '', ...BREAKS)],
    ['verbatim HTML', lines('- Fix the menu', '', '<pre>run()', '', ...BREAKS)],
    [
      'verbatim HTML in a body of HTML',
      lines('<p>Fix the menu</p><pre>run()', '<h2>Breaking changes</h2>', '<ul><li>a</li></ul>'),
    ],
    ['a fence, with another one below', lines('```js', 'run()', '', ...BREAKS, '', '```js', 'connect({})', '```')],
    ['a fence, with a bare one below', lines('```js', 'run()', '', ...BREAKS, '', '```', 'connect({})', '```')],
  ];
  for (const [name, content] of table) {
    it(name, () => assert.equal(derive({ version: '1.2.3', step: 'patch', content }).breaking, 'major'));
  }
});

describe('a break inside of what is closed is an example', () => {
  const table: [string, string][] = [
    ['a fence', lines('- Fix the menu', '', '```md', ...BREAKS, '```')],
    [
      'a fence in a quote',
      lines('- Fix the menu', '', '> ```md', '> ## Breaking changes', '> - a', '> ```', '- Fix b'),
    ],
    ['a comment', lines('- Fix the menu', '<!-- draft', '', ...BREAKS, '-->')],
  ];
  for (const [name, content] of table) {
    it(name, () => assert.equal(derive({ version: '1.2.3', step: 'patch', content }).breaking, 'none'));
  }
});
