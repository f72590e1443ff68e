import { z } from 'zod';
import { SLUG_PATTERN } from '../domain/slugs.ts';
import { orgFields } from './org.ts';
import { count } from './pagination.ts';
import { pick } from './pick.ts';
import { productFields } from './product.ts';
import { timestamp } from './scalars.ts';

const memberOrg = {
  ...pick(orgFields, 'slug', 'name', 'domain', 'avatarUrl'),
  githubHandle: z.string().nullable(),
};
const orgMember = { ...memberOrg, description: orgFields.description };
const productMember = { ...pick(productFields, 'slug', 'name', 'description'), org: z.object(memberOrg) };
const placed = { id: z.string(), position: z.int(), releaseCount: count };

export const memberPreview = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('org'), ...orgMember }),
    z.object({ kind: z.literal('product'), ...productMember }),
  ])
  .meta({ id: 'MemberPreview' });

// The fields that are made from the row of a collection.
export const collectionFields = {
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  isFeatured: z.boolean(),
  dailySummaryEnabled: z.literal(false).meta({ description: 'Daily summaries are not offered.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const collectionListItem = z
  .object({
    ...pick(collectionFields, 'slug', 'name', 'description'),
    memberCount: count,
    isFeatured: collectionFields.isFeatured,
    previewMembers: z.array(memberPreview).max(3),
    previewOrgs: z.array(z.object(orgMember)).max(3),
  })
  .meta({ id: 'CollectionListItem' });

export const collectionRow = z.object(collectionFields).meta({ id: 'CollectionRow' });

const collectionMember = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('org'), ...placed, ...orgMember }),
    z.object({ kind: z.literal('product'), ...placed, ...productMember }),
  ])
  .meta({ id: 'CollectionMember' });

export const collectionDetail = z
  .object({
    ...collectionFields,
    memberCount: count,
    members: z.array(collectionMember),
    orgs: z.array(z.object({ ...placed, ...orgMember })),
  })
  .meta({ id: 'CollectionDetail' });

const name = z.string().min(1).max(200);
const slug = z
  .string()
  .min(2)
  .max(64)
  .regex(SLUG_PATTERN, 'must be lower-case letters and digits, parted by single dashes');
const description = z.string().max(2000);

export const collectionCreation = z
  .object({
    name,
    slug: slug.optional(),
    description: description.optional(),
    isFeatured: z.boolean().optional(),
  })
  .meta({ id: 'CollectionCreation' });

export const collectionChange = z
  .strictObject({
    name: name.optional(),
    slug: slug.optional(),
    description: description.nullable().optional(),
    isFeatured: z.boolean().optional(),
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
