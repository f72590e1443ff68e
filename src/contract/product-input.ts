// What operators send about products. The kernel has trimmed texts and dropped the nulls of a POST.
import { z } from 'zod';
import { deriveSlug } from '../domain/slugs.ts';
import { kind } from './enums.ts';
import { field, productNamed } from './fields.ts';
import { aliasDomains, avatarUrlInput, slugInput, tagNames } from './org-input.ts';
import { httpUrl } from './release-input.ts';
import { noticeText } from './scalars.ts';

const url = httpUrl.meta({ example: 'https://acme.example/cli' });
const slug = slugInput.meta({ example: 'acme-cli' });
const name = productNamed.name.min(1).max(120);
const description = field.description.max(2000);
// A category or one of its aliases. Aliases are stored in the registry, so the schema cannot list them.
const category = field.category.min(1).max(80);

export const productCreation = z
  .object({
    name,
    orgId: field.orgId.min(1).optional(),
    orgSlug: field.orgSlug.min(1).optional(),
    slug: slug.optional(),
    url: url.optional(),
    description: description.optional(),
    category: category.optional(),
    kind: kind.optional(),
    avatarUrl: avatarUrlInput.optional(),
    tags: tagNames.optional(),
    aliases: aliasDomains.optional(),
    isHidden: field.isHidden.optional(),
  })
  .refine((product) => product.orgId !== undefined || product.orgSlug !== undefined, {
    path: ['orgId'],
    message: 'orgId or orgSlug is required',
  })
  .refine((product) => product.slug !== undefined || deriveSlug(product.name) !== null, {
    path: ['slug'],
    message: 'is required: the name gives none',
  })
  .meta({ id: 'ProductCreation' });

export const productChange = z
  .strictObject({
    name: name.optional(),
    slug: slug.optional(),
    url: url.nullable().optional(),
    description: description.nullable().optional(),
    category: category.nullable().optional(),
    kind: kind.nullable().optional(),
    avatarUrl: avatarUrlInput.nullable().optional(),
    tags: tagNames.optional(),
    aliases: aliasDomains.optional(),
    isHidden: field.isHidden.optional(),
    notice: noticeText.nullable().optional(),
  })
  .meta({ id: 'ProductChange' });

export type ProductCreation = z.output<typeof productCreation>;
export type ProductChange = z.output<typeof productChange>;
