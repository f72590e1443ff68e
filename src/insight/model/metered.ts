// Logs the usage of every call to a model, and refuses calls beyond the operator's daily token limit.

import { type Context, queries } from '../../context.ts';
import { reportUsage } from '../../entities/registry/usage-log.ts';
import type { ChatModel } from './chat.ts';
import { ModelFailure } from './failure.ts';

interface Metering {
  // The name of the operation in the usage log.
  operation: string;
  sourceId?: string;
  // Null for no limit. Tokens are counted in the database, over all processes.
  dailyTokens: number | null;
}

const DAY_MS = 86_400_000;

export function meteredModel(ctx: Context, model: ChatModel, metering: Metering): ChatModel {
  const { operation, sourceId, dailyTokens } = metering;
  return {
    name: model.name,
    chat: async (request) => {
      if (dailyTokens !== null && (await tokensToday(ctx)) >= dailyTokens) {
        throw new ModelFailure('daily_cap', 'daily token cap reached', nextDay(ctx));
      }
      const answer = await model.chat(request);
      const { inputTokens, outputTokens } = answer;
      await reportUsage(ctx, { operation, model: model.name, inputTokens, outputTokens, sourceId });
      return answer;
    },
  };
}

// The input and output tokens of the current day in UTC.
export async function tokensToday(ctx: Context): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('usage_log')
    .select(({ fn }) => [fn.sum('input_tokens').as('input'), fn.sum('output_tokens').as('output')])
    .where('created_at', '>=', new Date(startOfDay(ctx)).toISOString())
    .executeTakeFirst();
  return Number(row?.input ?? 0) + Number(row?.output ?? 0);
}

function startOfDay(ctx: Context): number {
  return Math.floor(ctx.clock().getTime() / DAY_MS) * DAY_MS;
}

function nextDay(ctx: Context): string {
  return new Date(startOfDay(ctx) + DAY_MS).toISOString();
}
