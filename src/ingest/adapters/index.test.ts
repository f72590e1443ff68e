// A new source type is an entry among the source types and a folder of adapters, and the compiler demands the folder: it
// refuses this file as soon as it no longer refuses what stands below the comments.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sourceType } from '../../contract/enums.ts';
import { SOURCE_TYPES, type SourceType } from '../../domain/source-types.ts';
import { SOURCE_TYPE_DESCRIPTORS } from './index.ts';
import type { SourceTypeDescriptor } from './source-type.ts';

type Descriptors = typeof SOURCE_TYPE_DESCRIPTORS;
type Missing = Exclude<SourceType, keyof Descriptors>;
type WithGopher = Record<SourceType | 'gopher', SourceTypeDescriptor>;

const { video: _, ...withoutVideo } = SOURCE_TYPE_DESCRIPTORS;

// @ts-expect-error A type without a descriptor.
const incomplete: Descriptors = withoutVideo;
// @ts-expect-error A type that was made up, without its folder.
const withGopher: WithGopher = SOURCE_TYPE_DESCRIPTORS;
// @ts-expect-error A name that no entry has.
const unknown: SourceType = 'gopher';
// @ts-expect-error A folder that says nothing of how the type is fetched.
const empty: SourceTypeDescriptor = {};
// No type is without a descriptor.
const missing: Missing[] = [];

it('every source type has its descriptor, and the contract names the same types', () => {
  assert.deepEqual(Object.keys(SOURCE_TYPE_DESCRIPTORS).sort(), [...SOURCE_TYPES].sort());
  assert.deepEqual(sourceType.options, [...SOURCE_TYPES]);
  assert.deepEqual(
    [incomplete.video, withGopher.gopher, empty.fetch, missing.length],
    [undefined, undefined, undefined, 0],
  );
  assert.ok(!SOURCE_TYPES.includes(unknown));
});
