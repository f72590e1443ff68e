// A release as an operator or an adapter describes it, before it is compared with the stored one.
import type { Breaking, ReleaseType } from '../../contract/enums.ts';
import type { MediaItem } from '../../contract/release.ts';
import type { Identifiable } from '../../domain/release-identity.ts';

interface GivenFields {
  summary?: string;
  titleGenerated?: string;
  titleShort?: string;
  breaking?: Breaking;
  // Replaces a lower verdict alone.
  breakingAtLeast?: Breaking;
  migrationNotes?: string;
  importance?: number;
  composition?: { bugs: number; features: number; enhancements: number };
}

export interface Draft extends Identifiable {
  // Undefined when the caller did not send the field.
  media?: MediaItem[];
  type?: ReleaseType;
  // `prerelease` decides; `prereleaseHint` counts only when the version is ambiguous.
  prerelease?: boolean;
  prereleaseHint?: boolean;
  origin: string;
  // The release is stored but suppressed from the start (`yanked`).
  suppressedReason?: string;
  // The time when it was first indexed, for importers that know it.
  firstSeenAt?: string;
  // Derived fields that the caller states explicitly.
  given?: GivenFields;
}
