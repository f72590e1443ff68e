// The filter flags of a webhook, and their translation to request fields.
import { WEBHOOK_FORMATS } from '../../../../domain/webhooks/format.ts';
import { type Flag, type FlagValues, textFlag, UsageError } from '../../../command.ts';
import { MEANING_FLAGS, meaningOf } from '../../meaning-flags.ts';
import { byIdOrSlug } from '../../references.ts';

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
  ...MEANING_FLAGS,
  security: { type: 'boolean', help: 'only what repairs a security problem; any of these three is enough' },
  format: { type: 'string', choices: WEBHOOK_FORMATS, help: 'form of the messages; json unless given' },
  description: { type: 'string', value: 'text', help: 'what it is for' },
} satisfies Record<string, Flag>;

export function filterBody(flags: FlagValues): Record<string, unknown> {
  const [source, product] = [textFlag(flags, 'source'), textFlag(flags, 'product')];
  const given = {
    ...(source === undefined ? {} : byIdOrSlug('source', source)),
    ...(product === undefined ? {} : byIdOrSlug('product', product)),
    releaseType: flags.type,
    excludePrereleases: flags['exclude-prereleases'] === true ? true : undefined,
    ...meaningOf(flags),
    format: flags.format,
    description: flags.description,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const CLEARED_FIELDS: Record<string, Record<string, null | false>> = {
  description: { description: null },
  source: { sourceId: null },
  product: { productId: null },
  type: { releaseType: null },
  'min-breaking': { minBreaking: null },
  'min-importance': { minImportance: null },
  security: { security: false },
};

export const CLEARED = Object.keys(CLEARED_FIELDS);

export function clearedBody(text: string | undefined): Record<string, null | false> {
  const names = text?.split(',').map((name) => name.trim()) ?? [];
  const wrong = names.find((name) => !Object.hasOwn(CLEARED_FIELDS, name));
  if (wrong !== undefined) throw new UsageError(`--clear takes ${CLEARED.join(', ')}, not "${wrong}"`);
  return Object.assign({}, ...names.map((name) => CLEARED_FIELDS[name]));
}
