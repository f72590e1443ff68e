// The settings of each tool, as people write them.
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { type CooldownFiles, type InstallerFile, readBotCooldown, readInstallerCooldown } from './cooldown.ts';
import { compileNameGlob } from './name-glob.ts';

const DAY = 24 * 60;
const read = (file: InstallerFile, content: unknown) =>
  readInstallerCooldown({ [file]: content } as CooldownFiles, file);

describe('the cooldown of an installer', () => {
  const MINUTES: readonly [InstallerFile, unknown, number][] = [
    ['.npmrc', 'min-release-age=7', 7 * DAY],
    ['.npmrc', '; a comment\r\n min-release-age = "3"\r\nfund=false', 3 * DAY],
    ['.npmrc', 'min-release-age=2 ; two days', 2 * DAY],
    ['.npmrc', 'min-release-age=1\nmin-release-age=0', 0],
    ['pnpm-workspace.yaml', { minimumReleaseAge: 2880 }, 2 * DAY],
    ['pnpm-workspace.yaml', { minimumReleaseAge: '60' }, 60],
    ['.yarnrc.yml', { npmMinimalAgeGate: '3d' }, 3 * DAY],
    ['.yarnrc.yml', { npmMinimalAgeGate: 1440 }, DAY],
    ['.yarnrc.yml', { npmMinimalAgeGate: '90m' }, 90],
    ['bunfig.toml', { install: { minimumReleaseAge: 259_200 } }, 3 * DAY],
  ];
  for (const [file, content, minutes] of MINUTES) {
    it(`${file} ${JSON.stringify(content)}: ${minutes} minutes`, () => {
      const found = read(file, content);
      assert.deepEqual([found?.minutes, found?.fault], [minutes, null]);
      assert.ok(found?.from.startsWith(file));
    });
  }

  const UNREADABLE: readonly [InstallerFile, unknown, RegExp][] = [
    ['.npmrc', 'min-release-age=a week', /“a week” is no number of days/],
    ['.npmrc', 'min-release-age=7d', /“7d”/],
    ['.npmrc', 'min-release-age=-1', /“-1”/],
    ['.npmrc', 'min-release-age=', /“”/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a person writes it
    ['.npmrc', 'min-release-age=${AGE}', /AGE/],
    ['.npmrc', 'min-release-age=99999999', /days/],
    ['pnpm-workspace.yaml', { minimumReleaseAge: '2 days' }, /“2 days” is no number of minutes/],
    ['pnpm-workspace.yaml', { minimumReleaseAge: true }, /“true”/],
    ['pnpm-workspace.yaml', { minimumReleaseAge: [2880] }, /a list or a group/],
    ['.yarnrc.yml', { npmMinimalAgeGate: 'soon' }, /“soon”/],
    ['bunfig.toml', { install: { minimumReleaseAge: '3 days' } }, /“3 days” is no number of seconds/],
    ['bunfig.toml', { install: { minimumReleaseAge: 99999999999999999999n } }, /seconds/],
  ];
  for (const [file, content, fault] of UNREADABLE) {
    const shown = typeof content === 'string' ? content : Object.keys(content as object).join();
    it(`${file} ${shown} ${fault} is named, and not taken as none`, () => {
      const found = read(file, content);
      assert.equal(found?.minutes, null);
      assert.match(found?.fault ?? '', fault);
    });
  }

  for (const [file, content] of [
    ['.npmrc', 'fund=false'],
    ['.npmrc', 'min-release-age=null'],
    ['.npmrc', '# min-release-age=7'],
    ['pnpm-workspace.yaml', { packages: ['a'] }],
    ['pnpm-workspace.yaml', null],
    ['.yarnrc.yml', 'text'],
    ['bunfig.toml', { minimumReleaseAge: 5 }],
  ] as const) {
    it(`${file} ${JSON.stringify(content)}: none is set`, () => assert.equal(read(file, content), null));
  }

  it('of a value that refers to itself is named too', () => {
    const value: unknown[] = [];
    value.push(value);
    assert.match(read('pnpm-workspace.yaml', { minimumReleaseAge: value })?.fault ?? '', /a list/);
  });

  it('is that of the installer whose lockfile is there, else that of any other', () => {
    const files = { '.npmrc': 'min-release-age=7', 'pnpm-workspace.yaml': { minimumReleaseAge: 60 } };
    assert.equal(readInstallerCooldown(files, 'pnpm-workspace.yaml')?.minutes, 60);
    assert.equal(readInstallerCooldown(files, '.npmrc')?.minutes, 7 * DAY);
    assert.equal(readInstallerCooldown(files, 'bunfig.toml')?.minutes, 7 * DAY);
  });

  const EXCEPTED: readonly [InstallerFile, unknown, excepted: readonly string[], not: readonly string[]][] = [
    [
      '.npmrc',
      'min-release-age=7\nmin-release-age-exclude[]=@acme/*\nmin-release-age-exclude[]=lamp',
      ['@acme/forms@1.0.0', 'lamp@2.0.0'],
      ['lamps@1.0.0', '@other/forms@1.0.0'],
    ],
    [
      'pnpm-workspace.yaml',
      { minimumReleaseAge: 60, minimumReleaseAgeExclude: ['lamp@1.0.0 || 1.0.1', '@acme/*', '@b/c@2.0.0'] },
      ['lamp@1.0.1', '@acme/x@9.9.9', '@b/c@2.0.0'],
      ['lamp@1.0.2', 'acme@1.0.0', '@b/c@2.0.1'],
    ],
    ['.yarnrc.yml', { npmMinimalAgeGate: '1d', npmPreapprovedPackages: ['lamp'] }, ['lamp@1.0.0'], ['bulb@1.0.0']],
    [
      'bunfig.toml',
      { install: { minimumReleaseAge: 60, minimumReleaseAgeExcludes: ['lamp'] } },
      ['lamp@1.0.0'],
      ['bulb@1.0.0'],
    ],
  ];
  for (const [file, content, excepted, not] of EXCEPTED) {
    it(`${file}: ${excepted.join(', ')} do not wait`, () => {
      const found = read(file, content);
      const isExcepted = (text: string) => {
        const at = text.lastIndexOf('@');
        return found?.isExcepted(text.slice(0, at), text.slice(at + 1));
      };
      assert.deepEqual([excepted.every(isExcepted), not.some(isExcepted)], [true, false]);
    });
  }
});

describe('the cooldown of a bot', () => {
  const settings = {
    minimumReleaseAge: '3 days',
    packageRules: [
      { matchPackageNames: ['@acme/**'], minimumReleaseAge: null },
      { matchPackageNames: ['lamp'], minimumReleaseAge: '2 weeks' },
      { matchPackageNames: ['bulb'], matchUpdateTypes: ['major'], minimumReleaseAge: '30 days' },
      { matchPackageNames: ['fuse'], minimumReleaseAge: 'some time' },
    ],
  };
  const CASES: readonly [string, unknown, boolean, number | null | undefined][] = [
    ['cord', settings, false, 3 * DAY],
    ['lamp', settings, false, 14 * DAY],
    ['@acme/forms', settings, false, undefined],
    // A rule that asks for more than a name is left to the bot.
    ['bulb', settings, false, 3 * DAY],
    ['fuse', settings, false, null],
    ['cord', settings, true, undefined],
    ['cord', { ...settings, vulnerabilityAlerts: { minimumReleaseAge: '12 hours' } }, true, 12 * 60],
    ['cord', { minimumReleaseAge: 3 }, false, null],
    ['cord', 'text', false, undefined],
  ];
  for (const [name, given, isSecurity, minutes] of CASES) {
    it(`${name}, ${isSecurity ? 'security' : 'any update'}: ${minutes}`, () => {
      const found = readBotCooldown(given, { name, isSecurity });
      assert.equal(found?.minutes, minutes);
      assert.equal(found === null || (found.fault !== null) === (minutes === null), true);
    });
  }
});

describe('patterns of names', () => {
  const CASES: readonly [pattern: string, name: string, boolean | null][] = [
    ['lamp', 'lamp', true],
    ['lamp', 'lamps', false],
    ['lamp*', 'lamps', true],
    ['*lamp', 'a-lamp', true],
    ['@acme/*', '@acme/forms', true],
    ['@acme/*', '@acme', false],
    ['a*b*c', 'axxbyyc', true],
    ['ab*ba', 'aba', false],
    ['!lamp', 'bulb', true],
    ['!lamp', 'lamp', false],
    ['a.b', 'axb', false],
    ['/^lamp/', 'lamp', null],
    ['', 'lamp', null],
  ];
  for (const [pattern, name, expected] of CASES) {
    it(`${pattern} and ${name}: ${expected}`, () => {
      const matches = compileNameGlob(pattern);
      assert.equal(matches === null ? null : matches(name), expected);
    });
  }

  it('of many stars take no long time', () => {
    assert.equal(compileNameGlob('*a'.repeat(100))?.('a'.repeat(214)), true);
    assert.equal(compileNameGlob(`${'*a'.repeat(100)}b`)?.('a'.repeat(214)), false);
  });
});
