// A stub is an org that is known by its locators but not tracked yet. Its parts have the form of the domain manifest.
import { z } from 'zod';
import { field } from './fields.ts';
import { LOCATOR_KEYS, type Locator, locator, manifestFields, manifestProduct } from './manifest.ts';
import { domainInput, slugInput } from './org-input.ts';

const locators = z
  .array(locator)
  .superRefine((list, context) => {
    list.forEach((item, index) => {
      if (hasLocator(item)) return;
      context.addIssue({ code: 'custom', path: [index], message: `needs one of ${LOCATOR_KEYS.join(', ')}` });
    });
    if (list.filter((item) => item.canonical).length > 1) {
      context.addIssue({ code: 'custom', message: 'at most one locator may be canonical' });
    }
  })
  .describe('Where releases are published.');

export const stubCreation = z
  .object({
    name: field.name.min(1).max(120),
    slug: slugInput.optional(),
    domain: domainInput.optional(),
    ...manifestFields,
    releases: locators.max(32).default([]),
    products: z
      .array(manifestProduct.extend({ releases: locators.max(8).default([]) }))
      .max(24)
      .default([])
      .describe('Products, by name.'),
  })
  .refine((stub) => stub.releases.length + stub.products.flatMap((product) => product.releases).length > 0, {
    path: ['releases'],
    message: 'at least one locator is required',
  })
  .meta({ id: 'StubCreation' });

function hasLocator(item: Locator): boolean {
  return LOCATOR_KEYS.some((key) => item[key] !== undefined);
}

export type StubCreation = z.output<typeof stubCreation>;
export type StubProduct = StubCreation['products'][number];
