import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rowSummary, rowTitle } from './release-list.ts';

const item = (titleShort: string | null, summary: string) => ({
  titleShort,
  titleGenerated: null,
  title: 'Title',
  version: '1.0.0',
  summary,
});

describe('a row', () => {
  it('completes a title that was cut from the first clause of the summary', () => {
    const row = item(
      'Corrected the message shown when replaying…',
      'Corrected the message shown when replaying a topic fails; Fixed a hang',
    );
    assert.equal(rowTitle(row), 'Corrected the message shown when replaying a topic fails');
    assert.equal(rowSummary(row), 'Fixed a hang');
  });

  it('completes it from a clause with a label, too', () => {
    const row = item('parse: add an option to wrap…', '[New] parse: add an option to wrap lists; [Fix] stop a leak');
    assert.equal(rowTitle(row), 'parse: add an option to wrap lists');
    assert.equal(rowSummary(row), '[Fix] stop a leak');
  });

  it('keeps the mark of a cut title that the summary does not continue', () => {
    assert.equal(rowTitle(item('Something that goes on…', 'Other words')), 'Something that goes on…');
  });

  it('does not repeat the title in the summary', () => {
    assert.equal(
      rowSummary(item('Removed the short form', 'Removed the short form; Renamed an option')),
      'Renamed an option',
    );
    assert.equal(rowSummary(item('Removed the short form', 'Removed the short form.')), '');
    assert.equal(
      rowSummary(item('Cost estimates', 'You can now use cost estimates.')),
      'You can now use cost estimates.',
    );
  });

  it('says only what goes beyond the title', () => {
    assert.equal(
      rowSummary(item('parse: add an option', '[New] parse: add an option; [Fix] stop a leak')),
      '[Fix] stop a leak',
    );
    assert.equal(
      rowSummary(item('clean the border', 'clean the border, not only where it is built; drop the rest')),
      'not only where it is built; drop the rest',
    );
    assert.equal(rowSummary(item('clean the border', 'clean the borders of all')), 'clean the borders of all');
  });

  it('takes a labelled clause where the title would only repeat the version', () => {
    assert.equal(rowTitle({ ...item(null, '[meta] fix repo URL'), title: 'v1.0.0' }), 'fix repo URL');
  });

  it('says the first real sentence where the title would only repeat the version', () => {
    assert.equal(rowTitle(item(null, 'mime-db@1.3.0; Charts load much faster')), 'Charts load much faster');
  });

  it('says what a release without a sentence of its own is about', () => {
    const versioned = { ...item(null, 'mime-db@1.52.0; negotiator@~0.6.3'), title: '1.0.0' };
    assert.equal(rowTitle(versioned), 'Dependencies: mime-db@1.52.0, negotiator@~0.6.3');
    assert.equal(rowSummary(versioned), '');
    assert.equal(rowTitle({ ...item(null, ''), title: '1.0.0', contentChars: 0 }), 'No notes');
  });

  it('falls back to what the publisher wrote', () => {
    assert.equal(rowTitle(item(null, '')), 'Title');
    assert.equal(rowTitle({ ...item(null, ''), title: '' }), '1.0.0');
  });
});
