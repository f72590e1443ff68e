import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WhatsChanged } from '../../contract/whats-changed.ts';
import { levelOf } from '../../domain/upgrade/report/answer.ts';
import { withJudgement } from '../../packages/whats-changed/answer.fixture.ts';
import { bareVersion, verdictSentence } from './verdict.ts';

const UNLISTED = { published: null, withoutNotes: [], withoutNotesCount: 0 };

const answer = (over: Partial<WhatsChanged>): WhatsChanged =>
  withJudgement({
    status: 'resolved',
    package: 'pkg',
    ecosystem: null,
    from: '1.0.0',
    to: '2.0.0',
    fromVersion: '1.0.0',
    toVersion: '2.0.0',
    source: null,
    matchedBy: 'slug',
    entries: [],
    count: 0,
    total: 3,
    summary: { breaking: { major: 0, minor: 0, none: 3, unknown: 0 }, firstBreaking: null, unnoted: 0, security: 0 },
    worst: 'none',
    omittedPrereleases: 0,
    history: { lowest: '0.1.0', highest: '2.0.0', checkedAt: null, tracked: true, complete: true, ...UNLISTED },
    truncated: false,
    ...over,
  });

const incomplete = { lowest: '0.1.0', highest: '1.5.0', checkedAt: null, tracked: false, complete: false, ...UNLISTED };

describe('a verdict', () => {
  it('says that nothing breaks only where the history is complete', () => {
    assert.equal(levelOf(answer({})), 'none');
    assert.equal(levelOf(answer({ history: incomplete })), 'unknown');
    assert.equal(verdictSentence(answer({ history: incomplete })), 'Not known: the stored versions end at 1.5.0');
  });

  it('says up to which version it knows where nothing newer is stored', () => {
    const above = answer({ reason: 'up_to_date', total: 0, entries: [], worst: null, toVersion: '2.1.0' });
    assert.equal(verdictSentence(above), 'You have the latest version known, 2.1.0');
    const listed = { ...above, fromVersion: '2.1.0', history: { ...incomplete, complete: true } };
    assert.equal(verdictSentence(listed), 'You have the latest version known, 2.1.0');
    const unseen = { ...above, fromVersion: '9.0.0', history: incomplete };
    assert.equal(verdictSentence(unseen), 'Your version is newer than the latest one known');
    assert.equal(levelOf(unseen), 'unknown');
  });

  it('is not known where the range is covered and nothing of it is stored, or nothing is said of the history', () => {
    const empty = answer({ reason: 'no_entries_in_range', total: 0, entries: [], worst: null });
    assert.equal(levelOf(empty), 'unknown');
    assert.equal(verdictSentence(empty), 'Not known: no version of this range is stored');
    assert.equal(levelOf(answer({ history: undefined })), 'unknown');
  });

  it('says a break even where the history is not complete', () => {
    assert.equal(levelOf(answer({ worst: 'major', history: incomplete })), 'major');
  });

  it('is not known where the package is not', () => {
    assert.equal(levelOf(answer({ status: 'unknown', worst: null })), 'unknown');
    assert.equal(
      verdictSentence(answer({ status: 'unknown', worst: null })),
      'Not known: the notes of pkg are not tracked here',
    );
  });

  it('says that nothing changed where the range is covered and empty', () => {
    const nothing = answer({ worst: null, total: 0, reason: 'same_version' });
    assert.equal(verdictSentence(nothing), 'Nothing changed in this range');
    assert.equal(verdictSentence({ ...nothing, history: incomplete }), 'Not known: the stored versions end at 1.5.0');
  });

  it('says that the reader is ahead of what is stored', () => {
    const ahead = answer({
      reason: 'history_ends',
      total: 0,
      worst: 'unknown',
      fromVersion: '9.0.0',
      history: incomplete,
    });
    assert.equal(verdictSentence(ahead), 'Your version is newer than the latest one known');
  });

  it('asks which one is meant', () => {
    const asked = (over: Partial<WhatsChanged>) => verdictSentence(answer({ status: 'unknown', worst: null, ...over }));
    assert.equal(asked({ reason: 'ambiguous' }), 'Which pkg?');
    assert.equal(asked({ reason: 'not_tracked', reasonDetail: 'ecosystem_required' }), 'Which pkg?');
    assert.equal(asked({ reason: 'ambiguous', reasonDetail: 'package_required' }), 'Which package of pkg?');
  });

  it('never says "safe", and counts what needs a look', () => {
    assert.equal(verdictSentence(answer({})), 'No sign of a break in 3 versions');
    const minor = { major: 0, minor: 1, none: 2, unknown: 0 };
    const look = answer({
      worst: 'minor',
      summary: { breaking: minor, firstBreaking: '1.1.0', unnoted: 0, security: 0 },
    });
    assert.equal(verdictSentence(look), 'It may break: 1 of 3 versions needs a look');
  });

  it('counts the releases that break', () => {
    const breaking = { major: 2, minor: 0, none: 1, unknown: 0 };
    assert.equal(
      verdictSentence(
        answer({ worst: 'major', summary: { breaking, firstBreaking: '2.0.0', unnoted: 0, security: 0 } }),
      ),
      'Yes, it breaks: 2 of 3 versions have breaking changes',
    );
  });
});

describe('a version beside its package', () => {
  it('is told without the package', () => {
    assert.equal(bareVersion('osierweave@4.7.0'), '4.7.0');
    assert.equal(bareVersion('v4.7.0'), 'v4.7.0');
    assert.equal(bareVersion('nightly'), 'nightly');
  });
});

describe('a verdict by the packages themselves', () => {
  const none = { proven: 0, likely: 0 };
  const evidence = (status: NonNullable<WhatsChanged['evidence']>['status']) => ({ status, pairs: [], counts: none });

  it('says what is waited for where only the packages are missing', () => {
    const waiting = (status: NonNullable<WhatsChanged['evidence']>['status']) =>
      verdictSentence(answer({ judgement: 'not_known', evidence: evidence(status) }));
    assert.equal(waiting('pending'), 'Not known yet: the packages are being compared');
    assert.equal(waiting('not_ordered'), 'Not known: the packages were not compared');
    assert.equal(waiting('too_large'), 'Not known: the packages are too large to compare');
  });

  it('says that the package shows what the notes do not', () => {
    const shown = answer({ judgement: 'breaks', undocumented: true });
    assert.equal(verdictSentence(shown), 'Yes, it breaks: the package shows it, and the notes do not mention it');
    assert.equal(levelOf(shown), 'major');
    assert.equal(
      verdictSentence(answer({ judgement: 'may_break' })),
      'It may break: the package itself makes it likely',
    );
  });
});
