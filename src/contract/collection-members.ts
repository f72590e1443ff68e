// How operators name the members of a collection.
import { z } from 'zod';
import { field } from './fields.ts';

export const MAX_MEMBERS = 500;

const reference = (name: z.ZodString) => name.min(1).max(300).optional();
const fields = {
  orgId: reference(field.orgId),
  orgSlug: reference(field.orgSlug),
  productId: reference(field.productId),
  productSlug: reference(field.productSlug),
  position: field.position.min(0).optional(),
};
type NamedMember = { orgId?: string; orgSlug?: string; productId?: string; productSlug?: string };

function namesOneMember(entry: NamedMember, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  const byOrg = entry.orgId !== undefined || entry.orgSlug !== undefined;
  if (entry.orgId !== undefined && entry.orgSlug !== undefined)
    refuse('orgSlug', 'orgId and orgSlug exclude each other');
  if (entry.productId !== undefined && entry.productSlug !== undefined) {
    refuse('productSlug', 'productId and productSlug exclude each other');
  }
  if (entry.productSlug !== undefined && !byOrg) refuse('productSlug', 'needs orgId or orgSlug beside it');
  if (!byOrg && entry.productId === undefined && entry.productSlug === undefined) {
    refuse('orgId', 'one of orgId, orgSlug, productId, productSlug is required');
  }
}

export const memberAddition = z.object(fields).superRefine(namesOneMember).meta({ id: 'MemberAddition' });

const entries = z.array(z.strictObject(fields).superRefine(namesOneMember)).max(MAX_MEMBERS);

export const memberReplacement = z
  .strictObject({
    members: entries.optional().describe('Organizations and products of the collection, in order.'),
    orgs: entries.optional().describe('Organizations, best match or alphabetical first.'),
  })
  .refine((body) => (body.members === undefined) !== (body.orgs === undefined), {
    path: ['members'],
    message: 'exactly one of members and orgs is required',
  })
  .meta({ id: 'MemberReplacement' });

const placement = z.object({
  kind: z.enum(['org', 'product']).describe('Whether the member is an organization or a product.'),
  orgId: field.orgId.optional(),
  productId: field.productId.optional(),
  position: field.position,
});

export const membersWritten = z
  .object({
    collectionSlug: field.collectionSlug,
    members: z.array(placement).describe('Organizations and products of the collection, in order.'),
  })
  .meta({ id: 'MembersWritten' });
export const memberAdded = placement.extend({ collectionSlug: field.collectionSlug }).meta({ id: 'MemberAdded' });

export type MemberEntry = z.output<typeof memberAddition>;
export type MemberPlacement = z.infer<typeof placement>;
export type MembersWritten = z.infer<typeof membersWritten>;
export type MemberAdded = z.infer<typeof memberAdded>;
