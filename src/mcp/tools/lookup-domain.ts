import { z } from 'zod';
import { category, kind, orgStatus } from '../../contract/enums.ts';
import { ApiError } from '../../contract/errors.ts';
import type { DomainLookup } from '../../contract/lookup.ts';
import { excerptCut, listCut, MAX_TOKENS } from '../budget.ts';
import { blocks, bullets, facts, QUOTE_NOTE, section } from '../markdown.ts';
import { inline, quoted, shortened } from '../quoting.ts';
import type { RegistryApi } from '../registry-api.ts';
import { fitResult } from '../result.ts';
import { COMPLETE, scopedName } from '../shapes.ts';
import { tool } from '../tool.ts';

const domainOrg = z.object({
  id: z.string(),
  slug: z.string().describe('Argument `org` of other tools.'),
  name: z.string(),
  domain: z.string().nullable(),
  description: z.string().nullable(),
  category: category.nullable(),
  status: orgStatus.describe('tracked, or stub: known by name, with no releases yet.'),
});

const output = {
  domain: z.string(),
  org: domainOrg.nullable().describe('null: no organization has the domain.'),
  products: z.array(
    z.object({
      id: z.string(),
      product: z.string().describe('Argument `product` of other tools.'),
      name: z.string(),
      kind: kind.nullable(),
    }),
  ),
  matchedVia: z
    .enum(['primary', 'alias', 'product'])
    .nullable()
    .describe("What the domain is: the organization's own, another one of it, or one of a product; null: unknown."),
};

type DomainResult = z.output<z.ZodObject<typeof output>>;

export const lookupDomain = tool({
  name: 'lookup_domain',
  title: 'Look up a domain',
  description: 'The organization and the products that a web domain belongs to. An unknown domain is a normal answer.',
  input: { domain: z.string().trim().min(1).max(2000).describe('A domain, or the address of a page on it.') },
  output,
  async run({ api, maxTokens, given }, { domain }) {
    const found = await lookUp(api, domain);
    const whole: DomainResult = {
      domain: found.domain,
      org: found.org && domainOrg.parse(found.org),
      products: found.products.map((each) => ({
        id: each.id,
        product: scopedName(each.orgSlug, each),
        name: each.name,
        kind: each.kind,
      })),
      matchedVia: found.org?.matchedVia ?? (found.products.length > 0 ? 'product' : null),
    };
    return fitResult<DomainResult>(
      {
        value: whole,
        cuts: [listCut('products', 5), excerptCut(excerpts), listCut('products')],
        text: domainText,
        truncation: ({ products }, cut) =>
          cut
            ? {
                truncated: true,
                reason: 'token_budget',
                omitted: whole.products.length - products.length,
                next: maxTokens < MAX_TOKENS ? { ...given, max_tokens: MAX_TOKENS } : null,
              }
            : COMPLETE,
      },
      maxTokens,
    );
  },
});

// The API answers an unknown domain with an error; here that is a result.
async function lookUp(api: RegistryApi, domain: string): Promise<DomainLookup> {
  try {
    return await api.get('/lookups/by-domain', { query: { domain } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return { domain, org: null, products: [] };
    throw error;
  }
}

function excerpts(value: DomainResult, length: number): DomainResult {
  const { org, domain } = value;
  return {
    ...value,
    domain: shortened(domain, Math.max(length, 260)),
    org: org && { ...org, description: org.description && shortened(org.description, length) },
  };
}

function domainText({ domain, org, products, matchedVia }: DomainResult): string {
  if (matchedVia === null) {
    return blocks(
      `# ${inline(domain)}`,
      'No organization or product of the registry has this domain. search finds organizations by name.',
    );
  }
  return blocks(
    `# ${inline(domain)}`,
    `matched via ${matchedVia}`,
    org && section('Organization', facts(org.slug, inline(org.name), org.category, `status ${org.status}`, org.id)),
    org?.description && QUOTE_NOTE,
    quoted(org?.description ?? ''),
    section('Products', bullets(products.map((each) => facts(each.product, inline(each.name), each.kind, each.id)))),
  );
}
