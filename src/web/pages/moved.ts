// Redirects from paths that other sites and older versions use.
import { addressedEntry, addressedOrg } from '../../entities/open.ts';
import { orgPath, productPath } from '../links.ts';
import { movedPage } from '../page.ts';

export const movedPages = [
  movedPage('/{org}/releases', async (ctx, { org = '' }) => orgPath((await addressedOrg(ctx, org)).slug)),
  movedPage('/{org}/product/{slug}', async (ctx, { org = '', slug = '' }) => {
    const entry = await addressedEntry(ctx, { org, slug });
    return productPath(entry.orgSlug, entry.slug);
  }),
];
