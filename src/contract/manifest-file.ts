// The rules for a manifest that is read from its domain: those of the published schema and those that a JSON Schema cannot
// express.
import { z } from 'zod';
import { isRecord } from '../domain/records.ts';
import { LOCATOR_KEYS, locator, manifest, manifestProduct } from './manifest.ts';

const locators = z
  .array(locator)
  .superRefine((list, context) => {
    list.forEach((item, index) => {
      if (LOCATOR_KEYS.some((key) => item[key] !== undefined)) return;
      context.addIssue({ code: 'custom', path: [index], message: `needs one of ${LOCATOR_KEYS.join(', ')}` });
    });
    if (list.filter((item) => item.canonical).length > 1) {
      context.addIssue({ code: 'custom', message: 'at most one locator may be canonical' });
    }
  })
  .describe('Where releases are published.');

// Authors write `prod_` as often as `prd_`; both name the same product.
const registries = z
  .preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withShortPrefix(entry)]));
  }, manifest.shape.registries)
  .describe('What the manifest says to single registries, by their name.');

export const manifestFile = manifest.extend({
  registries,
  releases: locators.max(32).default([]),
  products: z
    .array(manifestProduct.extend({ releases: locators.max(8).default([]) }))
    .max(24)
    .default([])
    .describe('Products, by name.'),
});

function withShortPrefix(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { product } = entry;
  if (typeof product !== 'string' || !product.startsWith('prod_')) return entry;
  return { ...entry, product: `prd_${product.slice('prod_'.length)}` };
}

export type ManifestFile = z.output<typeof manifestFile>;
export type DeclaredProduct = ManifestFile['products'][number];
