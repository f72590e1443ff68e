import { splitPackage } from './package-part.ts';
import { MAX_VERSION_LENGTH, withoutTagRef } from './text.ts';

// The text behind a `v:` identity: `<package part>@<version>`, or the version alone when there is no package part; lower
// case, without `refs/tags/`, a word like `release-` and the leading `v`. Build and flavour stay, because they tell
// releases apart that share an order key; so does a pre-release word in front.
export function versionIdentity(text: string): string {
  const tag = withoutTagRef(text);
  if (tag.length > MAX_VERSION_LENGTH) return tag.toLowerCase();
  const { packagePart, preWord, version } = splitPackage(tag);
  const plain = version
    .trim()
    .toLowerCase()
    .replace(/^v\.?(?=\d)/, '');
  if (preWord !== null) return `${preWord}-${plain}`;
  return packagePart === null ? plain : `${packagePart.toLowerCase()}@${plain}`;
}
