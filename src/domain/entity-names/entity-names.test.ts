import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  editedPieces,
  editedPrefixes,
  isEditedName,
  isWholeName,
  isWithinEdits,
  nameQuery,
  nameRanges,
  normalName,
  tierOf,
} from './entity-names.ts';
import { type NamedEntity, nameRows, nameSuffixes } from './name-rows.ts';

describe('nameSuffixes', () => {
  const cases: [string, string[]][] = [
    ['OpenAI', ['openai', 'ai']],
    ['Email', ['email']],
    ['Vercel AI SDK', ['vercel ai sdk', 'ai sdk', 'sdk']],
    ['Next.js', ['next js', 'js']],
    ['@scope/pkg', ['scope pkg', 'pkg']],
    ['Élan vital', ['elan vital', 'vital']],
    ['GitHub Actions', ['github actions', 'hub actions', 'actions']],
    ['日本語', ['日本語']],
    ['!!!', []],
    ['', []],
  ];
  for (const [name, suffixes] of cases) it(name || 'nothing', () => assert.deepEqual(nameSuffixes(name), suffixes));

  it('stays bounded', () => {
    const suffixes = nameSuffixes('aB'.repeat(500));
    assert.ok(suffixes.length <= 16 && suffixes.every((suffix) => suffix.length <= 100));
  });

  it('begins with the normal name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
        assert.equal(nameSuffixes(name)[0] ?? '', normalName(name));
      }),
    );
  });
});

describe('tierOf', () => {
  const openai: NamedEntity = { name: 'OpenAI', slug: 'openai', domains: ['openai.com', 'chat.openai.co.uk'] };
  const email: NamedEntity = { name: 'Email', slug: 'email', domains: ['mail.ai'] };
  const next: NamedEntity = { name: 'Next.js', slug: 'next-js', repository: 'vercel/next.js' };
  const actions: NamedEntity = { name: 'GitHub Actions', slug: 'gh-actions' };
  const page: NamedEntity = { name: 'Linear', slug: 'linear', url: 'https://linear.example/docs/changelog?x=1' };
  const web: NamedEntity = { name: 'Web things', slug: 'web', description: 'Frameworks, bundlers and UI kits' };
  const cases: [string, NamedEntity, number | null][] = [
    ['openai', openai, 0],
    ['Open AI', openai, 0],
    ['OPENAI', openai, 0],
    ['openai.com', openai, 0],
    ['https://www.openai.com/about', openai, 0],
    ['open', openai, 1],
    ['ai', openai, 2],
    ['chat', openai, 3],
    ['com', openai, null],
    ['co', openai, null],
    ['pena', openai, null],
    ['ai', email, null],
    ['mail', email, 3],
    ['next.js', next, 0],
    ['nextjs', next, 0],
    ['nextj', next, 1],
    ['next', next, 1],
    ['js', next, 2],
    ['vercel/next.js', next, 3],
    ['vercel', next, 3],
    ['gh', actions, 3],
    ['actions', actions, 2],
    ['hub act', actions, 2],
    ['githubactions', actions, 0],
    ['changelog', page, 3],
    ['bundl', web, 3],
    ['and kits', web, null],
    ['???', web, null],
  ];
  for (const [text, entity, tier] of cases) {
    it(`${text} → ${entity.name}: ${tier}`, () => {
      const query = nameQuery(text);
      const tiers = nameRows(entity).flatMap((row) => tierOf(row, query) ?? []);
      assert.equal(tiers.length > 0 ? Math.min(...tiers) : null, tier);
    });
  }

  it('looks nowhere else than in its ranges', () => {
    const names = fc.constantFrom('Open AI', 'OpenAI', 'ai', 'AI Registry', 'Next.js', 'next', 'registry ai', 'air');
    fc.assert(
      fc.property(names, names, (name, text) => {
        const query = nameQuery(text);
        for (const row of nameRows({ name, slug: 'some-slug', domains: ['ai.example'] })) {
          const inRange = nameRanges(query).some(({ class: of, text: from, prefix }) => {
            return of === row.class && (prefix ? row.suffix.startsWith(from) : row.suffix === from);
          });
          assert.equal(tierOf(row, query) !== null, inRange, `${text}: ${row.class} ${row.suffix}`);
        }
      }),
    );
  });
});

describe('typing errors', () => {
  const cases: [string, string, boolean][] = [
    ['vercle', 'vercel', true],
    ['verel', 'vercel', true],
    ['vercell', 'vercel', true],
    ['wercel', 'vercel', false],
    ['vrcl', 'vercel', false],
    ['ver', 'vex', false],
    ['kubernets', 'kubernetes', true],
    ['kubrnets', 'kubernetes', true],
    ['kubrnts', 'kubernetes', false],
    ['vercel', 'vercel', true],
  ];
  for (const [typed, name, found] of cases) {
    it(`${typed} ${found ? 'is' : 'is not'} ${name}`, () => assert.equal(isEditedName(name, nameQuery(typed)), found));
  }

  it('are looked for among names of about the same length', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 9 });
    fc.assert(
      fc.property(letters, letters, (typed, name) => {
        const query = nameQuery(typed);
        const sized = nameRows({ name, slug: 'x' }).find((row) => row.class === 'sized')?.suffix ?? '';
        const looked = editedPrefixes(query).some((prefix) => sized.startsWith(prefix));
        const held = editedPieces(query).some((piece) => name.includes(piece));
        if (isEditedName(name, query)) assert.ok(looked && held, `${typed} ${name} ${sized}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('counts as the plain definition does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.nat(3), (a, b, most) => {
        assert.equal(isWithinEdits(a, b, most), distance(a, b) <= most);
      }),
    );
  });
});

// Swaps of neighbours count once, and no letter is changed again after it.
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a.at(-1) === b.at(-1);
  const options = [
    distance(a.slice(0, -1), b) + 1,
    distance(a, b.slice(0, -1)) + 1,
    distance(a.slice(0, -1), b.slice(0, -1)) + (same ? 0 : 1),
  ];
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  if (swapped) options.push(distance(a.slice(0, -2), b.slice(0, -2)) + 1);
  return Math.min(...options);
}

describe('isWholeName', () => {
  const cases: [name: string, text: string, whole: boolean][] = [
    ['Node.js', 'node', true],
    ['Node.js', 'node.js', true],
    ['vue', 'Vue.js', true],
    ['node-fetch', 'node', false],
    ['eslint-plugin-react', 'eslint', false],
    ['', '', false],
  ];
  for (const [name, text, whole] of cases) {
    it(`${text} of ${name}: ${whole}`, () => assert.equal(isWholeName(name, text), whole));
  }
});
