// The notes of a package in its public repository: its releases, then its changelog file, and with a token its guides.
import { changelogKind, fileNameOf, isIgnoredFolder } from '../../domain/changelog/files.ts';
import type { HostedRelease, HostedReleases } from '../../domain/code-hosts/documents.ts';
import {
  fileAddress,
  folderAddress,
  RELEASES_A_PAGE,
  type Repository,
  releasesAddress,
} from '../../domain/code-hosts/hosts.ts';
import { ownReleases } from '../../domain/code-hosts/own-releases.ts';
import { compareVersionKeys, isPrerelease, versionIdentity, versionSort } from '../../domain/versions/index.ts';
import { FOLDER_LISTING, HOSTED_RELEASES } from '../../threads/code-host-documents.ts';
import type { CodeHosts, HostAnswer, RequestBudget } from './code-host.ts';
import { hostedNotes } from './hosted-texts.ts';
import { isGuide, preference } from './packed-notes.ts';
import type { NamedText, NotedRange, PackedNote } from './text-notes.ts';

interface RepositoryQuestion extends NotedRange {
  repository: Repository;
  folder: string;
  // The versions that its registry lists, and those of the range of which no note was read yet.
  versions: readonly string[];
  open: readonly string[];
  // The changelog that an older version of the package brought along.
  hint: string | null;
}

// Requests a package: without a token GitHub allows sixty an hour.
const REQUESTS = { open: 2, token: 8 };
const MAX_PAGES = 3;
const MAX_GUIDES = 2;
const GUESS = 'CHANGELOG.md';

type RepositoryReading =
  | { notes: PackedNote[]; problem: null }
  // `problem`: why something that may be there was not read.
  | { notes: PackedNote[]; problem: { kind: 'limited' | 'failed' | 'missing' | 'offline'; reason: string } };

export async function repositoryNotes(
  hosts: CodeHosts,
  question: RepositoryQuestion,
  signal: AbortSignal,
): Promise<RepositoryReading> {
  const hasToken = hosts.hasToken(question.repository.host);
  const reader = new RepositoryReader(hosts, question, { left: hasToken ? REQUESTS.token : REQUESTS.open });
  const releases = await reader.releases(hasToken ? MAX_PAGES : 1);
  if (reader.isAbsent) return { notes: [], problem: reader.problem };
  const { open } = question;
  const told = new Set(ownReleases(releases, { ...question }).map(({ version }) => versionIdentity(version)));
  const isTold = open.every((version) => told.has(versionIdentity(version)));
  const files = isTold && !hasToken ? [] : await reader.files(hasToken, isTold);
  const notes = await hostedNotes({ ...question, releases, files }, signal);
  if (notes === null) return { notes: [], problem: { kind: 'failed', reason: 'its texts cannot be read' } };
  return { notes, problem: reader.problem };
}

class RepositoryReader {
  problem: RepositoryReading['problem'] = null;
  // Nobody without rights sees such a repository.
  isAbsent = false;
  readonly #hosts: CodeHosts;
  readonly #question: RepositoryQuestion;
  readonly #budget: RequestBudget;

  constructor(hosts: CodeHosts, question: RepositoryQuestion, budget: RequestBudget) {
    this.#hosts = hosts;
    this.#question = question;
    this.#budget = budget;
  }

  async releases(pages: number): Promise<HostedRelease[]> {
    const { repository } = this.#question;
    const { kind } = repository.host;
    const found: HostedRelease[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const answer = await this.#hosts.json<HostedReleases, { kind: typeof kind }>({
        repository,
        url: releasesAddress(repository, page),
        budget: this.#budget,
        read: HOSTED_RELEASES,
        options: { kind },
      });
      if (answer.kind !== 'read') {
        this.isAbsent = page === 1 && answer.kind === 'missing';
        this.#note(answer, page === 1);
        break;
      }
      found.push(...answer.value.releases);
      if (answer.value.entries < RELEASES_A_PAGE[kind] || this.#reachesBack(found)) break;
    }
    return found;
  }

  // The releases reach to the version that the project has.
  #reachesBack(releases: readonly HostedRelease[]): boolean {
    const low = versionSort(this.#question.from) ?? '';
    return ownReleases(releases, this.#question).some(({ version }) => {
      return !isPrerelease(version) && compareVersionKeys(versionSort(version) ?? '', low) <= 0;
    });
  }

  async files(isListed: boolean, isTold: boolean): Promise<NamedText[]> {
    const paths = isListed ? await this.#listed(isTold) : [this.#guess()];
    const texts: NamedText[] = [];
    for (const path of paths) {
      const { repository } = this.#question;
      const url = fileAddress(repository, path);
      const answer = await this.#hosts.text({ repository, url, budget: this.#budget });
      if (answer.kind === 'read') texts.push({ path, text: answer.value });
      else this.#note(answer, false);
    }
    return texts;
  }

  #guess(): string {
    const { folder, hint } = this.#question;
    return `${folder === '' ? '' : `${folder}/`}${hint ?? GUESS}`;
  }

  // The changelog of the package's own folder, else that of the repository, and the guides beside it.
  async #listed(isTold: boolean): Promise<string[]> {
    const { repository, folder } = this.#question;
    const found: string[] = [];
    for (const one of folder === '' ? [''] : [folder, '']) {
      if (isIgnoredFolder(fileNameOf(one))) continue;
      const url = folderAddress(repository, one);
      const asked = { repository, url, budget: this.#budget, read: FOLDER_LISTING, options: undefined };
      const answer = await this.#hosts.json(asked);
      if (answer.kind === 'read') found.push(...answer.value.map(({ path }) => path));
      else this.#note(answer, false);
      if (found.some((path) => isChangelog(path))) break;
    }
    const [changelog] = found.filter(isChangelog).sort((a, b) => depth(b) - depth(a) || preference(a) - preference(b));
    const guides = found.filter(isGuide).sort().slice(-MAX_GUIDES);
    return [...(changelog === undefined || isTold ? [] : [changelog]), ...guides];
  }

  // A file that is not there says nothing, and whoever has had all requests was asked.
  #note(answer: Exclude<HostAnswer<unknown>, { kind: 'read' }>, isFirst: boolean): void {
    if (answer.kind === 'limited' || answer.kind === 'failed') {
      this.problem ??= { kind: answer.kind, reason: answer.reason };
    } else if (answer.kind === 'offline') this.problem ??= { kind: 'offline', reason: 'offline' };
    else if (answer.kind === 'missing' && isFirst)
      this.problem = { kind: 'missing', reason: 'no public repository is there' };
  }
}

function isChangelog(path: string): boolean {
  const kind = changelogKind(fileNameOf(path));
  return kind === 'canonical' || kind === 'other';
}

function depth(path: string): number {
  return path.split('/').length;
}
