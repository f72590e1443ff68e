// What is known of a text while it is typed. Nothing is ordered for it: most of what is typed is a part of something else.
import type { Context } from '../../context.ts';
import type { AskAnswer, AskedUpgrade } from '../../contract/ask.ts';
import { ECOSYSTEMS, isPossibleName, normalizePackageName } from '../../domain/ecosystems/index.ts';
import { packageAddress } from '../../domain/published-package.ts';
import { upgradeLine, upgradeSentence } from '../../domain/upgrade/report/upgrade-line.ts';
import { packageHits } from '../../search/entities/catalog-hits.ts';
import { resolveFilters } from '../../search/filters/resolve-filters.ts';
import { readingContext } from '../../search/search-connection.ts';
import type { KnownPackage } from '../details/known-package.ts';
import { majorStepOf } from '../shown-upgrades/judge.ts';
import { whatsChangedBatch } from '../whats-changed/index.ts';
import { type Lead, leadOf, upgradeLead } from './where-to.ts';

const SHOWN = 5;

export async function answerTyped(ctx: Context, text: string): Promise<AskAnswer> {
  const lead = await leadOf(ctx, text);
  const { question, path, known } = lead;
  const [packages, upgrade] = await Promise.all([namesLike(ctx, lead), known ? likelyUpgrade(ctx, known, lead) : null]);
  return {
    query: text.trim(),
    path,
    upgrade,
    packages,
    unread: known || question.kind === 'words' || question.kind === 'repository' ? null : unreadPackage(lead),
  };
}

async function namesLike(ctx: Context, { question }: Lead): Promise<AskAnswer['packages']> {
  if (question.kind === 'words' || question.kind === 'repository') return [];
  const reading = readingContext(ctx);
  const { scope } = await resolveFilters(reading, {});
  return (await packageHits(reading, { text: question.name, scope })).slice(0, SHOWN);
}

// The update that was typed, or the last one from a major version to the next.
async function likelyUpgrade(
  ctx: Context,
  known: KnownPackage,
  { question, path }: Lead,
): Promise<AskedUpgrade | null> {
  const { ecosystem, spelling } = known;
  const asked = question.kind === 'upgrade' ? question : await majorStepOf(ctx, known);
  if (!asked) return null;
  const { from, to } = asked;
  const [answer] = (await whatsChangedBatch(ctx, { items: [{ package: spelling, ecosystem, from, to }] }, null)).items;
  if (answer === undefined || 'error' in answer) return null;
  const range = { from: answer.fromVersion ?? from, to: answer.toVersion ?? to };
  const line = upgradeLine(answer);
  return {
    ecosystem,
    package: spelling,
    ...range,
    level: line.level,
    sentence: upgradeSentence(spelling, range, line),
    versions: answer.total + (answer.history?.withoutNotesCount ?? 0),
    steps: answer.steps.length + (answer.moreSteps ?? 0),
    judgedBy: answer.judgedBy.filter((one) => one !== 'version'),
    path: question.kind === 'upgrade' ? path : upgradeLead({ package: spelling, from, to, ecosystem }),
  };
}

// The first registry that could have a package of this name.
function unreadPackage({ question, path }: Lead): AskAnswer['unread'] {
  if (question.kind !== 'package' && question.kind !== 'upgrade') return null;
  const ecosystem = question.ecosystem ?? ECOSYSTEMS.find((one) => isPossibleName(one, question.name));
  if (ecosystem === undefined) return null;
  const name = normalizePackageName(ecosystem, question.name);
  const asks = question.kind === 'upgrade' && !path.startsWith('/search?');
  return { ecosystem, name, path: asks ? path : packageAddress(ecosystem, name) };
}
