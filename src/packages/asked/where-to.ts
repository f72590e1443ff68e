// Where a text in the one field leads: to a package, an update, a source, or the search.

import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { ECOSYSTEMS, normalizePackageName } from '../../domain/ecosystems/index.ts';
import { packageAddress } from '../../domain/published-package.ts';
import { type ReadQuestion, readQuestion } from '../../domain/questions/read-question.ts';
import { addressedEntry } from '../../entities/open.ts';
import { sourcesOfCoordinate } from '../../entities/sources/of-coordinate.ts';
import { findPackage, type KnownPackage } from '../details/known-package.ts';

export interface Lead {
  question: ReadQuestion;
  path: string;
  // The package that is meant, where it is known here.
  known: KnownPackage | null;
}

export async function leadOf(ctx: Context, text: string): Promise<Lead> {
  const question = readQuestion(text);
  const search = `/search?${new URLSearchParams({ q: text.trim() })}`;
  if (question.kind === 'words') return { question, path: text.trim() === '' ? '/' : search, known: null };
  if (question.kind === 'repository')
    return { question, path: (await repositoryLead(ctx, question)) ?? search, known: null };
  const known = await packageMeant(ctx, question);
  const { name } = question;
  const ecosystem = known?.ecosystem ?? question.ecosystem;
  if (question.kind === 'package') {
    const path =
      ecosystem === null ? search : packageAddress(ecosystem, known?.name ?? normalizePackageName(ecosystem, name));
    return { question, path, known };
  }
  if (known === null && !question.isSure) return { question, path: search, known };
  const asked = { package: known?.spelling ?? name, from: question.from, to: question.to };
  return { question, path: upgradeLead({ ...asked, ...(ecosystem && { ecosystem }) }), known };
}

export function upgradeLead(asked: { package: string; from: string; to: string; ecosystem?: string }): string {
  return `/whats-changed?${new URLSearchParams(asked)}`;
}

type Named = Extract<ReadQuestion, { kind: 'package' | 'upgrade' }>;

// Of the first registry that has it, unless one was named.
async function packageMeant(ctx: Context, { name, ecosystem }: Named): Promise<KnownPackage | null> {
  for (const one of ecosystem === null ? ECOSYSTEMS : [ecosystem]) {
    const known = await findPackage(ctx, { ecosystem: one, name });
    if (known) return known;
  }
  return null;
}

type Repository = Extract<ReadQuestion, { kind: 'repository' }>;

async function repositoryLead(ctx: Context, { coordinate, from, to }: Repository): Promise<string | null> {
  if (from !== null) return upgradeLead({ package: coordinate, from, to: to ?? 'latest', ecosystem: 'github' });
  const [source] = (await sourcesOfCoordinate(ctx, coordinate)).filter(({ visible }) => visible);
  const [org = '', slug = ''] = coordinate.split('/');
  try {
    // A source is found by its repository; a product by its address here.
    const entry = source ? null : await addressedEntry(ctx, { org, slug });
    if (source) return source.org ? `/${source.org.slug}/${source.source.slug}` : `/sources/${source.source.id}`;
    return entry && `/${entry.orgSlug}/${entry.slug}`;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}
