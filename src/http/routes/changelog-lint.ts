import { changelogLint, changelogLintInput } from '../../contract/changelog-lint.ts';
import { lintSentChangelog } from '../../packages/details/lint.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const MAX_BYTES = 2 * 1024 * 1024;

export const changelogLintRoutes: RouteDeclaration[] = [
  route({
    method: 'POST',
    path: '/changelog/lint',
    summary: 'Whether a changelog is ready for a release (beta)',
    description:
      'Checks the text of a changelog, at most 2 MiB: order, days, headings, breaking entries that do not say what to do. With ecosystem, package and version of a package that is listed here it also says which versions have no entry or were never published, and which breaks nobody names. Nothing is stored.',
    tag: 'Packages',
    access: 'public',
    body: changelogLintInput,
    bodyExample: {
      content: '## 1.1.0\n\n- `open` was removed, call `start` instead.\n\n## 1.0.0\n\n- First.\n',
      ecosystem: 'npm',
      package: '@acme/kit',
      version: '1.1.0',
    },
    bodyLimit: MAX_BYTES,
    answers: { 200: changelogLint },
    reads: () => 1,
    run: (ctx, { body }) => lintSentChangelog(ctx, body),
  }),
];
