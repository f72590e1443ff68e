// Documents of code hosts are read where they are parsed.
import { readFolderListing, readHostedReleases } from '../domain/code-hosts/documents.ts';
import { parseRelease, parseReleasePage } from '../domain/code-hosts/github-release.ts';
import { jsonReader } from './json.ts';

// A thread finds the readers among the exports of this module.
export { parseRelease, parseReleasePage, readFolderListing, readHostedReleases };

export const RELEASE_PAGE = jsonReader(import.meta.url, parseReleasePage);
export const RELEASE = jsonReader(import.meta.url, parseRelease);
export const HOSTED_RELEASES = jsonReader(import.meta.url, readHostedReleases);
export const FOLDER_LISTING = jsonReader(import.meta.url, readFolderListing);
