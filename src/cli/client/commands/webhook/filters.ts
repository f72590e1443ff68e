// The filter flags of a webhook, and their translation to request fields.
import { WEBHOOK_FORMATS } from '../../../../domain/webhooks/format.ts';
import { type Flag, type FlagValues, textFlag, UsageError } from '../../../command.ts';
import { byIdOrSlug } from '../../references.ts';

export const CLEARED = ['description', 'source', 'product', 'type'];

export const FILTER_FLAGS = {
  source: {
    type: 'string',
    value: 'slug',
    complete: 'source',
    help: 'only releases of this source of the org: slug or id',
  },
  product: { type: 'string', value: 'slug', help: 'only releases of this product of the org: slug or id' },
  type: { type: 'string', choices: ['feature', 'rollup'], help: 'only releases of this type' },
  'exclude-prereleases': { type: 'boolean', help: 'no pre-releases' },
  format: { type: 'string', choices: WEBHOOK_FORMATS, help: 'form of the messages; json unless given' },
  description: { type: 'string', value: 'text', help: 'what it is for' },
} satisfies Record<string, Flag>;

export function filterBody(flags: FlagValues): Record<string, unknown> {
  const [source, product] = [textFlag(flags, 'source'), textFlag(flags, 'product')];
  return {
    ...(source === undefined ? {} : byIdOrSlug('source', source)),
    ...(product === undefined ? {} : byIdOrSlug('product', product)),
    ...(flags.type === undefined ? {} : { releaseType: flags.type }),
    ...(flags['exclude-prereleases'] ? { excludePrereleases: true } : {}),
    ...(flags.format === undefined ? {} : { format: flags.format }),
    ...(flags.description === undefined ? {} : { description: flags.description }),
  };
}

const CLEARED_FIELDS: Record<string, Record<string, null>> = {
  description: { description: null },
  source: { sourceId: null },
  product: { productId: null },
  type: { releaseType: null },
};

export function clearedBody(text: string | undefined): Record<string, null> {
  const names = text?.split(',').map((name) => name.trim()) ?? [];
  const wrong = names.find((name) => !Object.hasOwn(CLEARED_FIELDS, name));
  if (wrong !== undefined) throw new UsageError(`--clear takes ${CLEARED.join(', ')}, not "${wrong}"`);
  return Object.assign({}, ...names.map((name) => CLEARED_FIELDS[name]));
}
