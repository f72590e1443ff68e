import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { CATEGORIES, type Category } from '../../contract/enums.ts';
import { conflict, validationFailed } from '../../contract/errors.ts';
import type { CategoryChange, CategoryRowShape } from '../../contract/taxonomy.ts';
import { toJson } from '../../store/json-text.ts';
import { recordAudit } from '../audit.ts';
import { categoryOfPath, categoryText, categoryTexts } from './category-text.ts';

export async function changeCategory(
  ctx: Context,
  input: { category: string; change: CategoryChange },
): Promise<CategoryRowShape> {
  const aliases = input.change.aliases && [...new Set(input.change.aliases)];
  refuseCanonical(aliases ?? []);
  return transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, 'categories');
    const slug = await categoryOfPath(ctx, input.category);
    await refuseTaken(ctx, slug, aliases ?? []);
    const stored = await ctx.tx.selectFrom('categories').selectAll().where('slug', '=', slug).executeTakeFirst();
    const { name = stored?.name ?? null, description = stored?.description ?? null } = input.change;
    const row = {
      slug,
      name,
      description: description || null,
      aliases: aliases ? toJson(aliases) : (stored?.aliases ?? toJson([])),
      updated_at: now(ctx),
    };
    await ctx.tx
      .insertInto('categories')
      .values(row)
      .onConflict((oc) => oc.column('slug').doUpdateSet(row))
      .execute();
    const before = categoryText(slug, stored);
    const after = categoryText(slug, row);
    await recordAudit(ctx, { action: 'category.update', targetType: 'category', targetId: slug, before, after });
    return after;
  });
}

// This rule concerns only the body: the canonical slugs are constants.
function refuseCanonical(aliases: readonly string[]): void {
  const issues = aliases.flatMap((alias, index) =>
    CATEGORIES.some((slug) => slug === alias)
      ? [{ path: `aliases.${index}`, reason: `${alias} is a category itself` }]
      : [],
  );
  if (issues.length > 0) throw validationFailed(issues);
}

async function refuseTaken(ctx: WriteContext, slug: Category, aliases: readonly string[]): Promise<void> {
  for (const other of await categoryTexts(ctx)) {
    const taken = other.slug === slug ? undefined : aliases.find((alias) => other.aliases.includes(alias));
    if (taken !== undefined) throw conflict('aliases', taken, other.slug);
  }
}
