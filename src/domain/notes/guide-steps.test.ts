import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guideSteps } from './guide-steps.ts';

describe('the steps of a guide', () => {
  it('are its lowest headings, each with the sentence below it', () => {
    const guide = `Intro.

### Breaking changes

#### \`reply.res\` moved to \`reply.raw\` ([#1](https://example.org/1))

Access the raw response there. More words.

#### Removed \`app.use()\`

\`\`\`js
app.use(a)
\`\`\`

#### Introduction

Nothing to do.
`;
    assert.deepEqual(guideSteps(guide), [
      '`reply.res` moved to `reply.raw`: Access the raw response there.',
      'Removed `app.use()`',
    ]);
  });

  it('are the entries of a list below a heading', () => {
    const guide = '### Options\n\n- Set `a`.\n- Drop `b`.\n\n### Node\n\nRun Node 20.';
    assert.deepEqual(guideSteps(guide), ['Set `a`.', 'Drop `b`.', 'Node: Run Node 20.']);
  });

  it('are also asked for before the first heading and further down a part', () => {
    const guide = `Thanks for using it. The \`x\` option is removed. We like it.

## Players

Players are loaded when they are needed. All of them were loaded before.

Because of this, single imports have been removed. React 16.6 or later is now required.

## Example (static)

It must not be read.

## Names

Nothing of note.`;
    assert.deepEqual(guideSteps(guide), [
      'The `x` option is removed.',
      'Players: Players are loaded when they are needed.',
      'Because of this, single imports have been removed.',
      'React 16.6 or later is now required.',
      'Names: Nothing of note.',
    ]);
  });

  it('are the rows of a table of names, and no other table', () => {
    const names = '| Old | New |\n|---|---|\n| `onData(a)` | `onBody(a)` |\n| `onEnd` | `onClose` |\n';
    const options = '| Name | Default |\n|---|---|\n| dir | none |\n| `root` | none |\n';
    assert.deepEqual(guideSteps(`## Handlers\n\n${names}\n## Options\n\n${options}`), [
      '`onData(a)` – `onBody(a)`',
      '`onEnd` – `onClose`',
      'Options',
    ]);
  });

  it('keep names below a sentence, and sentences that mean the one before them', () => {
    const guide = `## Removed APIs

The following have been removed:

- \`a()\`
- \`b()\`

## Names

This family was a duplicate of \`c\` in many ways. These duplicates have been removed (learn more). To keep it, add \`--c\` to the command.`;
    assert.deepEqual(guideSteps(guide), [
      'Removed APIs: The following have been removed: `a()`; `b()`',
      'Names: This family was a duplicate of `c` in many ways. These duplicates have been removed.',
      'To keep it, add `--c` to the command.',
    ]);
  });

  it('are the asking sentences of a long paragraph', () => {
    const filler = 'There is much to tell about this release and nothing of it is a step. '.repeat(5);
    assert.deepEqual(guideSteps(`${filler}This release drops support of Node.js 16. ${filler}`), [
      'This release drops support of Node.js 16.',
    ]);
    assert.ok((guideSteps(filler)[0]?.length ?? 999) <= 330);
  });

  it('are those of notes without headings', () => {
    assert.deepEqual(guideSteps('- Set `a`.\n- Drop `b`.'), ['Set `a`.', 'Drop `b`.']);
    assert.deepEqual(guideSteps(''), []);
  });

  it('are bounded', () => {
    assert.equal(guideSteps('## a thing\ntext\n'.repeat(5000)).length, 1);
    assert.ok(guideSteps(Array.from({ length: 5000 }, (_, n) => `## Part ${n}\ntext`).join('\n')).length <= 60);
  });
});
