import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { SLUG_PATTERN } from '../domain/slugs.ts';
import { field, idOf } from './fields.ts';
import { orgFields } from './org.ts';
import { productFields } from './product.ts';

const memberOrg = {
  ...pick(orgFields, 'slug', 'name', 'domain', 'avatarUrl'),
  githubHandle: field.githubHandle.nullable(),
};
const orgMember = { ...memberOrg, description: orgFields.description };
const productMember = {
  ...pick(productFields, 'slug', 'name', 'description'),
  org: z.object(memberOrg).describe('The organization.'),
};
const placed = { id: idOf('org'), position: field.position, releaseCount: field.releaseCount };

export const memberPreview = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('org').describe('An organization.'),
      ...orgMember,
    }),
    z.object({
      kind: z.literal('product').describe('A product.'),
      ...productMember,
    }),
  ])
  .meta({ id: 'MemberPreview' });

// The fields that are made from the row of a collection.
export const collectionFields = {
  id: idOf('col'),
  slug: field.slug.meta({ example: 'build-tools' }),
  name: field.name.meta({ example: 'Build tools' }),
  description: field.description.meta({ example: 'What turns code into artifacts.' }).nullable(),
  isFeatured: field.isFeatured,
  dailySummaryEnabled: z.literal(false).meta({ description: 'Daily summaries are not offered.' }),
  createdAt: field.createdAt,
  updatedAt: field.updatedAt,
};

export const collectionListItem = z
  .object({
    ...pick(collectionFields, 'slug', 'name', 'description'),
    memberCount: field.memberCount,
    isFeatured: collectionFields.isFeatured,
    previewMembers: z.array(memberPreview).max(3).describe('The first members.'),
    previewOrgs: z.array(z.object(orgMember)).max(3).describe('The first organizations.'),
  })
  .meta({ id: 'CollectionListItem' });

export const collectionRow = z.object(collectionFields).meta({ id: 'CollectionRow' });

const collectionMember = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('org').describe('An organization.'),
      ...placed,
      ...orgMember,
    }),
    z.object({
      kind: z.literal('product').describe('A product.'),
      ...placed,
      ...productMember,
    }),
  ])
  .meta({ id: 'CollectionMember' });

export const collectionDetail = z
  .object({
    ...collectionFields,
    memberCount: field.memberCount,
    members: z.array(collectionMember).describe('Organizations and products of the collection, in order.'),
    orgs: z.array(z.object({ ...placed, ...orgMember })).describe('Organizations, best match or alphabetical first.'),
  })
  .meta({ id: 'CollectionDetail' });

const name = collectionFields.name.min(1).max(200);
const slug = collectionFields.slug
  .min(2)
  .max(64)
  .regex(SLUG_PATTERN, 'must be lower-case letters and digits, parted by single dashes');
const description = collectionFields.description.unwrap().max(2000);

export const collectionCreation = z
  .object({
    name,
    slug: slug.optional(),
    description: description.optional(),
    isFeatured: field.isFeatured.optional(),
  })
  .meta({ id: 'CollectionCreation' });

export const collectionChange = z
  .strictObject({
    name: name.optional(),
    slug: slug.optional(),
    description: description.nullable().optional(),
    isFeatured: field.isFeatured.optional(),
  })
  .meta({ id: 'CollectionChange' });

export type MemberPreview = z.infer<typeof memberPreview>;
export type OrgMemberPreview = Omit<Extract<MemberPreview, { kind: 'org' }>, 'kind'>;
export type CollectionListItem = z.infer<typeof collectionListItem>;
export type CollectionRowShape = z.infer<typeof collectionRow>;
export type CollectionMember = z.infer<typeof collectionMember>;
export type CollectionDetail = z.infer<typeof collectionDetail>;
export type CollectionCreation = z.output<typeof collectionCreation>;
export type CollectionChange = z.output<typeof collectionChange>;
