import { foldName } from '../../../domain/clean-text.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import { readJsonDocument } from '../../../threads/json.ts';
import { type AdapterContext, type AdapterInput, type AdapterResult, adapterResult } from '../contract.ts';
import { readableAnswer } from '../outcomes.ts';
import { type AppIdentity, identifyApp, lookupAddress } from './identify.ts';
import { LOOKUP, type StoreListing } from './parse-lookup.ts';

const ENDPOINT = 'lookup';

export async function fetchAppstore(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const { source } = input;
  const identity = identifyApp(source);
  if (identity === null) return adapterResult(ctx, { outcome: 'error', detail: 'the source names no app' });
  const url = lookupAddress(ctx.settings.itunesUrl, identity);
  const result = await ctx.fetch({ url, headers: { accept: 'application/json' } });
  const answer = readableAnswer(result, ctx.now);
  if ('outcome' in answer) return adapterResult(ctx, answer);

  const { body, status } = answer;
  const reading = await readJsonDocument(LOOKUP, body, identity);
  if (reading === undefined || reading.kind === 'malformed') {
    return adapterResult(ctx, { outcome: 'malformed', detail: 'not an answer of the store', httpStatus: status });
  }
  if (reading.kind === 'other_app') {
    return adapterResult(ctx, { outcome: 'malformed', detail: 'an answer about another app', httpStatus: status });
  }
  if (reading.kind === 'none') return adapterResult(ctx, { ...missing(source), httpStatus: status });
  return adapterResult(ctx, { ...shown(input, identity, reading), httpStatus: status });
}

// An app can be missing from the store for an hour; missing twice in a row it counts as gone.
function missing({ last_outcome }: SourceRow): Pick<AdapterResult, 'outcome' | 'detail'> {
  const before = last_outcome === 'empty' || last_outcome === 'gone';
  return { outcome: before ? 'gone' : 'empty', detail: 'the store shows no such app' };
}

type AppResult = Pick<AdapterResult, 'outcome' | 'items' | 'validators' | 'sourceChanges' | 'complete'>;

function shown({ source, validators }: AdapterInput, identity: AppIdentity, listing: StoreListing): AppResult {
  const { item, itemHash: contentHash } = listing;
  const sourceChanges = changesOf(source, identity, listing);
  const known = validators.find(({ endpoint }) => endpoint === ENDPOINT)?.contentHash;
  // The store shows one version at a time, so the listing is never complete and older releases are not withdrawn.
  const complete = false;
  if (known === contentHash) return { outcome: 'no_change', items: [], validators: [], sourceChanges, complete };
  const validator = { endpoint: ENDPOINT, etag: null, lastModified: null, contentHash, tokenFingerprint: null };
  return { outcome: 'success', items: [item], validators: [validator], sourceChanges, complete };
}

function changesOf(source: SourceRow, { id }: AppIdentity, { name, icon }: StoreListing): Partial<SourceRow> {
  return {
    ...(source.app_id === null ? { app_id: id } : {}),
    ...(name !== source.name ? { name, name_key: foldName(name) } : {}),
    ...(icon !== null && icon !== source.app_icon_url ? { app_icon_url: icon } : {}),
  };
}
