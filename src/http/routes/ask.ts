import { askAnswer } from '../../contract/ask.ts';
import { typedText } from '../../contract/query.ts';
import { answerTyped } from '../../packages/asked/answer-typed.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

export const askRoutes: RouteDeclaration[] = [
  route({
    method: 'GET',
    path: '/ask',
    summary: 'What a typed text could ask for (beta)',
    description:
      'A package, an update such as `acme-cli 1.4 to 2`, a repository or words: where it leads, the packages of that name, and the answer to the most likely question by what is known now. It orders no reading.',
    tag: 'Upgrades',
    access: 'public',
    query: {
      q: typedText({ max: 500 }).meta({ description: 'Text as it is typed.', example: 'acme-cli 1.4 to 2' }),
    },
    answers: { 200: askAnswer },
    errors: ['bad_request'],
    cache: [60, 30],
    run: (ctx, { query: { q } }) => answerTyped(ctx, q),
  }),
];
