// Creates and deletes the address of the private feed.
import { createFeedToken, deleteFeedToken } from '../../accounts/following/feed-token.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import { accountForm, seeOther } from '../visit.ts';

export const feedForms: RouteDeclaration[] = [
  accountForm({
    path: '/account/feed/new',
    summary: 'A new address for the private feed',
    answer: async (visit) => {
      await createFeedToken(visit.ctx);
      return seeOther(visit, '/account/feed?done=new');
    },
  }),
  accountForm({
    path: '/account/feed/remove',
    summary: 'Remove the private feed',
    answer: async (visit) => {
      await deleteFeedToken(visit.ctx);
      return seeOther(visit, '/account/feed?done=removed');
    },
  }),
];
