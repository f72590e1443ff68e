import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UseWord } from '../../uses/use.ts';
import { reportMarkdown } from './markdown.ts';
import { reportRow, useOf } from './row.fixture.ts';

const broken = reportRow('@scope/big', {
  judgement: 'breaks',
  verdict: 'major',
  direct: true,
  reason: '`TimeFn` is no longer exported; the notes do not mention it',
  steps: [
    { text: 'Use `c`', versions: ['2.0.0'], from: 'notes' },
    { text: 'Drop `d` | e', versions: [], from: 'package' },
  ],
});
const vague = reportRow('vague', {
  judgement: 'not_known',
  verdict: 'unknown',
  direct: false,
  reason: '3 of 8 versions have no notes',
});
const commit = reportRow('theme', {
  judgement: 'not_known',
  verdict: 'unknown',
  notFromRegistry: { source: 'git', from: 'aaa', to: 'bbb' },
});

describe('the comment of a pull request', () => {
  it('the answer, what breaks as a table, the rest folded', () => {
    assert.equal(
      reportMarkdown([reportRow('fine'), vague, broken, commit], { marker: 'quay side--web' }),
      [
        '<!-- release-registry:check quay-side-web -->',
        '### 1 of 4 changed packages breaks, a direct dependency',
        '1 breaks, 1 not known, 1 no sign of a break, 1 not from a registry.',
        '| Risk | Package | Change | What breaks it |\n|---|---|---|---|\n| **Breaks** | `@scope/big` | 1.0.0 → 2.0.0 | `TimeFn` is no longer exported; the notes do not mention it |',
        '<details><summary><b>What to do: 2 steps</b></summary>\n\n1. Use `c` _(`@scope/big` 2.0.0)_\n2. Drop `d` \\| e _(`@scope/big`, seen in the package)_\n\n</details>',
        '<details><summary><b>1 not known</b></summary>\n\n| Package | Change | Why |\n|---|---|---|\n| `vague` (indirect) | 1.0.0 → 2.0.0 | 3 of 8 versions have no notes |\n\n</details>',
        '<details><summary><b>1 no sign of a break, 1 not from a registry</b></summary>\n\nNo sign of a break: `fine`\n\nNot from a registry: `theme` (git)\n\n</details>',
        'No sign of a break is no promise: behaviour can change without a word.\n',
      ].join('\n\n'),
    );
  });

  it('places of use stand in a column of their own, with links of ours alone', () => {
    const text = reportMarkdown([{ ...broken, use: useOf('used') }], {
      placeUrl: ({ file, line }) => `https://host.example/${file}#L${line}`,
    });
    assert.match(text, /\| Used here \|\n/);
    assert.match(
      text,
      /\| \*\*`@scope\/big`\*\* \|.*\| \[src\/clock\.ts:14, 2 more\]\(https:\/\/host\.example\/src\/clock\.ts#L14\) \|/,
    );
  });

  it('steps leave out what is not used, not imported or met', () => {
    const step = (text: string, use?: UseWord) => ({
      text,
      versions: ['2.0.0'],
      from: 'notes' as const,
      ...(use && { use }),
    });
    const broken = { judgement: 'breaks', verdict: 'major' } as const;
    const text = reportMarkdown([
      reportRow('a', {
        ...broken,
        use: useOf('used'),
        steps: [
          step('Use `open`', 'used'),
          step('Use `shut`', 'not_used'),
          step('Needs Node 20', 'met'),
          step('Files are sorted'),
        ],
      }),
      reportRow('b', { ...broken, use: useOf('not_imported'), steps: [step('Rename `c`')] }),
      reportRow('d', { ...broken, use: useOf('unclear'), steps: [step('Look at `e`', 'unclear')] }),
    ]);
    const steps = text.slice(text.indexOf('What to do'));
    assert.match(steps, /^What to do: 3 steps/);
    for (const shown of ['`open`', 'Files are sorted', '`e`']) assert.ok(steps.includes(shown), shown);
    for (const spared of ['`shut`', 'Needs Node 20', '`c`']) assert.ok(!steps.includes(spared), spared);
    assert.ok(steps.includes('3 steps of what is not used here are left out.'));
  });

  it('breaking only still says how much is not known', () => {
    const text = reportMarkdown([broken, vague, reportRow('fine')], { breakingOnly: true });
    assert.match(text, /1 that are not known are not listed/);
    assert.doesNotMatch(text, /vague|fine/);
  });

  it('texts of strangers bring no markup, ping nobody and refer to nothing', () => {
    const evil =
      '<img src=x> ![p](https://evil.example/p.png) [x](javascript:1) @team #12 | **b** &lt; `c`\n# h\n- [ ] task www.evil.example <!-- -->';
    const text = reportMarkdown([
      { ...broken, package: 'x`|<b>', reason: evil, steps: [{ text: evil, versions: ['2|0<b>'], from: 'notes' }] },
      { ...vague, reason: evil, ignored: { reason: evil, until: null } },
    ]);
    const bare = text.replaceAll(/`[^`\n]*`/g, '');
    assert.doesNotMatch(
      bare.replaceAll(/<\/?(?:details|summary|b)>/g, ''),
      /<|&(?!lt;)|(?<!\\)\[|@team|#12|\n# h|https:\/\/evil|www\.evil/,
    );
    assert.equal(text.split('\n').filter((line) => line.startsWith('|')).length, 3);
  });

  it('fits into a comment, and says what is left out', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...broken,
      package: `big-${index}`,
      reason: 'Do this. '.repeat(300),
      steps: [{ text: `${index} ${'Do that. '.repeat(300)}`, versions: ['2.0.0'], from: 'notes' as const }],
    }));
    const text = reportMarkdown(many);
    assert.ok(text.length <= 60_000, `${text.length}`);
    assert.match(text, /\d+ more are left out here/);
    assert.match(text, /and \d+ more\n/);
  });
});
