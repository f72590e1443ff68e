// Repositories of GitHub as sources. `fetch-github.ts` is the adapter; `api.ts` asks GitHub for everybody.
import { githubCoordinate } from '../../../domain/urls.ts';
import { type Findings, nothingFound } from '../findings.ts';
import type { ProvenRepository } from '../proofs.ts';
import type { SourceTypeDescriptor, Upstream } from '../source-type.ts';

export const github: SourceTypeDescriptor = {
  fetch: async (ctx, input) => (await import('./fetch-github.ts')).fetchGithub(ctx, input),
  address: (_source, { githubApiUrl }) => githubApiUrl,
  evaluation: {
    recognizes: (url, upstream) => repositoryAt(url, upstream) !== null,
    async evaluate({ proofs, config }, url) {
      const proof = await proofs.repository(repositoryAt(url, config.upstream) ?? '', { items: true });
      return proof.verdict === 'proven' ? repositoryFindings(proof) : proof;
    },
  },
  sharesBudget: true,
};

// The operator can configure the address of the code host.
function repositoryAt(url: string, { githubWebUrl }: Upstream): string | null {
  const { host, pathname } = new URL(url);
  if (host === URL.parse(githubWebUrl)?.host) return githubCoordinate(`https://github.com${pathname}`);
  return /^(?:www\.)?github\.com$/i.test(host) ? githubCoordinate(url) : null;
}

function repositoryFindings({ fullName, archived, items }: ProvenRepository): Findings {
  const url = `https://github.com/${fullName}`;
  const some = items.length > 0;
  return {
    ...nothingFound(url),
    githubRepo: fullName,
    provider: 'github',
    notes: [...(archived ? ['the repository is archived'] : []), ...(some ? [] : ['nothing is released yet'])],
    options: [
      {
        method: 'github',
        url,
        reason: some ? 'repository with releases' : 'repository without releases so far',
        confidence: some ? 'high' : 'low',
        name: fullName.split('/')[1] ?? fullName,
        items,
      },
    ],
  };
}
