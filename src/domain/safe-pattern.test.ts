import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePattern, compilePatterns } from './safe-pattern.ts';

describe('compilePattern', () => {
  const matching: [source: string, text: string, matches: boolean][] = [
    ['^v\\d+', 'v12', true],
    ['^v\\d+', 'a v12', false],
    ['beta|alpha', '1.0.0-BETA.1', true],
    ['[a-z]+-\\d*', 'rc-1', true],
    ['(?:foo)+$', 'xfoofoo', true],
    ['a{2,3}', 'a', false],
    ['security \\(fix\\)', 'Security (Fix)', true],
    ['(a|b)*c', 'ababc', true],
    ['(a+)+$', 'aaab', false],
    ['(?<major>\\d+)\\.x', '4.x', true],
    ['\\u00e9t\\u00e9', 'Été', true],
    ['https:\\/\\/x\\.example\\/', 'https://x.example/a', true],
    ['^\\p{Lu}', 'É', true],
  ];
  for (const [source, text, matches] of matching) {
    it(`${source} ${matches ? 'matches' : 'does not match'} ${text}`, () => {
      const check = compilePattern(source);
      assert.ok(check.ok);
      assert.equal(check.pattern.test(text), matches);
    });
  }

  const refused: [source: string, reason: RegExp][] = [
    ['', /1 to 200/],
    ['a'.repeat(201), /1 to 200/],
    ['(?=x)', /look-around/],
    ['(?<!x)y', /look-around/],
    ['(a)\\1', /back references/],
    ['(x', /regular expression/],
    ['x**', /regular expression/],
    ['(x{1000}){1000}', /regular expression/],
    ['x{900}'.repeat(10), /repeats too often/],
  ];
  for (const [source, reason] of refused) {
    it(`refuses ${source.slice(0, 20) || 'the empty text'}`, () => {
      const check = compilePattern(source);
      assert.ok(!check.ok);
      assert.match(check.reason, reason);
    });
  }

  it('costs as much as the text is long, whatever the pattern repeats', () => {
    const cost = (length: number) => {
      const check = compilePattern('x*x*x*x*x*x*x*x*y');
      assert.ok(check.ok);
      const start = process.cpuUsage();
      for (let round = 0; round < 4_000 / length; round += 1) check.pattern.test('x'.repeat(length));
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    cost(400);
    assert.ok(cost(4_000) < 10 * cost(400) + 200_000);
  });

  it('leaves stored patterns out that cannot be read', () => {
    const { patterns, unreadable } = compilePatterns(['^v', '(?=x)', 'beta']);
    assert.deepEqual(
      patterns.map(({ source }) => source),
      ['^v', 'beta'],
    );
    assert.deepEqual(unreadable, ['(?=x)']);
  });
});
