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

  it('are those of notes without headings', () => {
    assert.deepEqual(guideSteps('- Set `a`.\n- Drop `b`.'), ['Set `a`.', 'Drop `b`.']);
    assert.deepEqual(guideSteps(''), []);
  });

  it('are bounded', () => {
    assert.equal(guideSteps('## a thing\ntext\n'.repeat(5000)).length, 1);
    assert.ok(guideSteps(Array.from({ length: 5000 }, (_, n) => `## Part ${n}\ntext`).join('\n')).length <= 60);
  });
});
