// The request that creates a source from an evaluated URL: the page for people becomes `url`, the machine-readable
// addresses go into the settings.
import { type Evaluation, typeOfMethod } from '../../contract/evaluate.ts';
import { factsOf } from '../../domain/source-types.ts';
import { type FlagValues, textFlag } from '../command.ts';

export function sourceOf(found: Evaluation, flags: FlagValues): object {
  const { recommendedMethod, recommendedUrl: url, proposed } = found;
  const org = textFlag(flags, 'org') ?? proposed.orgSlug ?? undefined;
  const common = { name: textFlag(flags, 'name') ?? proposed.name, slug: textFlag(flags, 'slug'), type: proposed.type };
  return {
    url,
    ...common,
    ...(org === undefined ? {} : { orgSlug: org }),
    ...factsOf(typeOfMethod(recommendedMethod)).creation(found),
  };
}
