// /feed.json and /feed.atom: the newest releases of the whole registry. Browsers are redirected to the live page.
import { REGISTRY_SUBJECT } from '../../releases/atom/subjects.ts';
import { apiAnswer } from '../formats/api.ts';
import { atomFeed } from '../formats/atom.ts';
import { formatsOnly } from '../page.ts';

export const feedRoute = formatsOnly({
  path: '/feed',
  summary: 'The newest releases of the registry, for programs',
  page: '/live',
  formats: {
    json: apiAnswer(() => '/releases/latest'),
    atom: atomFeed({ subject: async () => REGISTRY_SUBJECT, page: '/' }),
  },
});
