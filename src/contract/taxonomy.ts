import { z } from 'zod';
import { SLUG_PATTERN } from '../domain/slugs.ts';
import { memberPreview } from './collection.ts';
import { categorySlug } from './enums.ts';
import { field, idOf, productNamed } from './fields.ts';

const tagText = {
  slug: field.slug.meta({ example: 'open-source' }),
  name: field.name.meta({ example: 'Open source' }),
};
const categoryText = {
  slug: categorySlug.meta({
    description: 'Name in addresses: lower-case letters, digits and dashes.',
    example: 'devops',
  }),
  name: field.name.meta({ example: 'DevOps' }),
  description: field.description.nullable(),
  aliases: field.aliases.meta({ example: ['deployment'] }),
};

const entries = {
  orgs: z
    .array(
      z.object({
        slug: field.slug,
        name: field.name,
        domain: field.domain.nullable(),
        avatarUrl: field.avatarUrl.nullable(),
      }),
    )
    .describe('Organizations, best match or alphabetical first.'),
  products: z
    .array(
      z.object({
        slug: productNamed.slug,
        name: productNamed.name,
        description: field.description.nullable(),
        orgSlug: field.orgSlug,
        orgName: field.orgName,
      }),
    )
    .describe('Products, by name.'),
};

export const categoryRow = z.object(categoryText).meta({ id: 'CategoryRow' });
export const categoryListItem = z
  .object({
    ...categoryText,
    orgCount: field.orgCount,
    productCount: field.productCount,
    previewMembers: z.array(memberPreview).max(3).describe('The first members.'),
  })
  .meta({ id: 'CategoryListItem' });
export const categoryDetail = z.object({ ...categoryText, ...entries }).meta({ id: 'CategoryDetail' });

export const categoryChange = z
  .strictObject({
    name: categoryText.name.min(1).max(200).nullable().optional(),
    description: field.description.max(2000).nullable().optional(),
    aliases: z
      .array(z.string().max(80).regex(SLUG_PATTERN, 'must be lower-case letters and digits, parted by single dashes'))
      .max(20)
      .optional()
      .meta({
        description: 'Other names that lead here: further domains, or other slugs of a category.',
        example: ['deployment'],
      }),
  })
  .meta({ id: 'CategoryChange' });

export const tagListItem = z
  .object({ ...tagText, orgCount: field.orgCount, productCount: field.productCount })
  .meta({ id: 'TagListItem' });
export const tagDetail = z.object({ ...tagText, ...entries }).meta({ id: 'TagDetail' });
export const tagRow = z
  .object({ id: idOf('tag'), name: tagText.name, slug: tagText.slug, createdAt: field.createdAt })
  .meta({ id: 'TagRow' });

const tagName = tagText.name.min(1).max(60);
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
