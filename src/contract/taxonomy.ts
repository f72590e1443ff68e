import { z } from 'zod';
import { SLUG_PATTERN } from '../domain/slugs.ts';
import { memberPreview } from './collection.ts';
import { category } from './enums.ts';
import { count } from './pagination.ts';
import { timestamp } from './scalars.ts';

const categoryText = {
  slug: category,
  name: z.string(),
  description: z.string().nullable(),
  aliases: z.array(z.string()),
};

const entries = {
  orgs: z.array(
    z.object({ slug: z.string(), name: z.string(), domain: z.string().nullable(), avatarUrl: z.string().nullable() }),
  ),
  products: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      orgSlug: z.string(),
      orgName: z.string(),
    }),
  ),
};

export const categoryRow = z.object(categoryText).meta({ id: 'CategoryRow' });
export const categoryListItem = z
  .object({ ...categoryText, orgCount: count, productCount: count, previewMembers: z.array(memberPreview).max(3) })
  .meta({ id: 'CategoryListItem' });
export const categoryDetail = z.object({ ...categoryText, ...entries }).meta({ id: 'CategoryDetail' });

export const categoryChange = z
  .strictObject({
    name: z.string().min(1).max(200).nullable().optional(),
    description: z.string().max(2000).nullable().optional(),
    aliases: z
      .array(z.string().max(80).regex(SLUG_PATTERN, 'must be lower-case letters and digits, parted by single dashes'))
      .max(20)
      .optional(),
  })
  .meta({ id: 'CategoryChange' });

export const tagListItem = z
  .object({ slug: z.string(), name: z.string(), orgCount: count, productCount: count })
  .meta({ id: 'TagListItem' });
export const tagDetail = z.object({ slug: z.string(), name: z.string(), ...entries }).meta({ id: 'TagDetail' });
export const tagRow = z
  .object({ id: z.string(), name: z.string(), slug: z.string(), createdAt: timestamp })
  .meta({ id: 'TagRow' });

const tagName = z.string().min(1).max(60);
export const tagCreation = z.object({ name: tagName }).meta({ id: 'TagCreation' });
export const tagChange = z.strictObject({ name: tagName }).meta({ id: 'TagChange' });

export type CategoryRowShape = z.infer<typeof categoryRow>;
export type CategoryListItem = z.infer<typeof categoryListItem>;
export type CategoryDetail = z.infer<typeof categoryDetail>;
export type CategoryChange = z.output<typeof categoryChange>;
export type TaxonomyEntries = Pick<CategoryDetail, 'orgs' | 'products'>;
export type TagListItem = z.infer<typeof tagListItem>;
export type TagDetail = z.infer<typeof tagDetail>;
export type TagRowShape = z.infer<typeof tagRow>;
