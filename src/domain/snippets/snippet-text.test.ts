import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CODE_CLOSE, CODE_OPEN } from '../clean-text.ts';
import { snippetText } from '../snippets/snippet.ts';

const CASES: [markdown: string, text: string][] = [
  ['### Fixed\n\n- Fixed missing exports\n- Fixed query params', 'Fixed missing exports; Fixed query params'],
  ['### Bug Fixes\n\n* **core:** fix merging ([#12](https://x.example/12))', 'Bug Fixes: core: fix merging (#12)'],
  ['## Removed\n\n- `open`\n- `close`.\n\nRead the guide.', 'Removed: open; close. Read the guide.'],
  ['- See [the docs](https://x.example/a_(b)) ![](https://x.example/p.png) ()', 'See the docs'],
  ['- One []\n- Two', 'One; Two'],
  ['## Only a heading', ''],
  ['Text before a list\n\n- One', 'Text before a list; One'],
];

describe('the text of snippets', () => {
  for (const [markdown, text] of CASES) {
    it(JSON.stringify(markdown).slice(0, 60), () => assert.equal(snippetText(markdown, 500), text));
  }

  it('keeps the marks of code where they are wanted', () => {
    const entry =
      '* \\[[`f1d3b6a8c2`](https://x.example/f1d3b6a8c2)] - **http**: fix it (Jane Doe) [#12](https://x.example/12)';
    assert.equal(snippetText(entry, 100, { marks: true }), 'http: fix it');
    assert.equal(snippetText('- Use `a()`', 100, { marks: true }), `Use ${CODE_OPEN}a()${CODE_CLOSE}`);
  });
});
