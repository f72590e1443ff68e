import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { versionSort } from '../../domain/versions/index.ts';
import { lastSteps } from './steps.ts';
import type { VersionOfPackage } from './versions.ts';

function version(text: string, more: Partial<VersionOfPackage> = {}): VersionOfPackage {
  return {
    version: text,
    key: versionSort(text),
    isDatedHere: true,
    publishedAt: null,
    withdrawn: false,
    deprecated: null,
    releaseId: null,
    toldById: null,
    breaking: 'none',
    prerelease: false,
    noted: true,
    title: `News of ${text}`,
    told: null,
    byVersion: false,
    ...more,
  };
}

describe('lastSteps', () => {
  it('is empty for fewer than two versions', () => {
    assert.deepEqual(lastSteps([]), []);
    assert.deepEqual(lastSteps([version('1.0.0'), version('1.0.0-rc.1', { prerelease: true })]), []);
  });

  it('has the newest step, the newest line, and the steps between lines', () => {
    const falling = [
      version('3.1.1'),
      version('3.1.0', { breaking: 'minor' }),
      version('3.0.1'),
      version('3.0.0', { breaking: 'major' }),
      version('2.5.0', { noted: false, breaking: null, title: null }),
      version('2.0.0', { breaking: 'unknown' }),
      version('1.9.0'),
    ];
    const steps = lastSteps(falling).map(({ from, to, answer, because }) => [`${from} ${to}`, answer, because]);
    assert.deepEqual(steps, [
      ['3.1.0 3.1.1', 'none', 'Its notes show no break'],
      ['3.0.0 3.1.1', 'minor', '3.1.0: News of 3.1.0'],
      ['2.5.0 3.0.0', 'major', '3.0.0: News of 3.0.0'],
      ['1.9.0 2.0.0', 'unknown', 'The notes of 2.0.0 do not say enough'],
    ]);
  });

  it('never says that nothing breaks where a version has no notes', () => {
    const falling = [version('1.2.0'), version('1.1.0', { noted: false, breaking: null }), version('1.0.0')];
    const answers = lastSteps(falling).map(({ answer, because }) => [answer, because]);
    assert.deepEqual(answers, [
      ['none', 'Its notes show no break'],
      ['unknown', '1.1.0 has no notes'],
    ]);
  });

  it('says the version once, whatever the title begins with', () => {
    const because = (title: string) => {
      const [step] = lastSteps([version('10.0.0', { breaking: 'major', title }), version('9.1.1')]);
      return step?.because;
    };
    assert.equal(because('mailer 10.0.0: Node.js 20 or newer is required'), '10.0.0: Node.js 20 or newer is required');
    assert.equal(because('@reef/mailer@10.0.0'), '10.0.0: its notes say so');
    assert.equal(because('v10.0.0 – Smaller'), '10.0.0: Smaller');
    assert.equal(because('Moves to 10.0.0 of the protocol'), '10.0.0: Moves to 10.0.0 of the protocol');
    assert.equal(because('10.0.0-beta notes'), '10.0.0: 10.0.0-beta notes');
  });

  it('rests on the number of a version where its notes say nothing of what breaks', () => {
    const numbered = version('2.0.0', { breaking: 'major', byVersion: true });
    const first = (falling: VersionOfPackage[]) => lastSteps(falling)[0]?.because;
    assert.equal(
      first([numbered, version('1.0.0')]),
      '2.0.0 is a new major version; its notes say nothing of what breaks',
    );
  });

  it('has the breaks of pre-releases, but not the number of one', () => {
    const beta = version('2.0.0-beta.1', { breaking: 'major', prerelease: true });
    const first = (falling: VersionOfPackage[]) => {
      const [step] = lastSteps(falling);
      return [step?.from, step?.to, step?.answer, step?.because];
    };
    const told = ['1.0.0', '2.0.0', 'major', '2.0.0-beta.1: News of 2.0.0-beta.1'];
    assert.deepEqual(first([version('2.0.0'), beta, version('1.0.0')]), told);
    const numbered = version('2.0.0', { breaking: 'major', byVersion: true });
    assert.deepEqual(first([numbered, beta, version('1.0.0')]), told, 'words before numbers');
    const silent = first([version('2.0.0'), { ...beta, byVersion: true }, version('1.0.0')]);
    assert.deepEqual(silent, ['1.0.0', '2.0.0', 'none', 'Its notes show no break']);
  });

  it('steps over withdrawn versions', () => {
    const [step] = lastSteps([version('1.2.0', { withdrawn: true }), version('1.1.0'), version('1.0.0')]);
    assert.deepEqual([step?.from, step?.to], ['1.0.0', '1.1.0']);
  });
});
