// What two published versions of a package show side by side, without a server.

import { readFile } from 'node:fs/promises';
import {
  COMPARED_ECOSYSTEMS,
  type Ecosystem,
  factsOfEcosystem,
  isComparedEcosystem,
  withEcosystem,
} from '../../../domain/ecosystems/index.ts';
import { distTagWords } from '../../../domain/upgrade/dist-tags.ts';
import { CommandFailure, EXIT, UsageError } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import type { CompareAnswer } from '../evidence/print.ts';

export const compareCommands = [
  clientCommand({
    name: 'compare',
    summary:
      'What two published versions of an npm or PyPI package show: removed names, raised engines, changed signatures',
    arguments: [
      { name: 'package', help: 'name of the package (pypi:requests for PyPI), or the archive of the old version' },
      { name: 'from', help: 'version in use, or the archive of the new version' },
      { name: 'to', help: 'version to go to, or a tag such as latest', optional: true },
    ],
    positionals: '<package> <from> <to> | <old archive> <new archive>',
    flags: {
      witness: { type: 'boolean', help: 'with each finding, code that the old version takes and the new one does not' },
    },
    examples: [
      'registry compare zod 3.25.76 4.0.0',
      'registry compare pypi:requests 2.31.0 2.32.0',
      'registry compare acme-1.4.0.tgz acme-2.0.0.tgz --json',
    ],
    run: async (session) => {
      const { args, flags, output } = session;
      const compared = args.to === undefined ? await compareFiles(session) : await comparePublished(session);
      const { printComparison, printWitnesses } = await import('../evidence/print.ts');
      if (output.mode === 'json') output.json(compared.answer);
      else printComparison(output, compared);
      if (output.mode !== 'json' && flags.witness) printWitnesses(output, compared.answer);
      return EXIT.ok;
    },
  }),
];

interface NamedAnswer {
  ecosystem: Ecosystem;
  name: string;
  answer: CompareAnswer;
}

async function compareFiles({ args, signal }: Session): Promise<NamedAnswer> {
  const paths = [args.package ?? '', args.from ?? ''];
  if (!paths.every((path) => /\.(?:t(?:ar\.)?gz|whl|zip)$/.test(path)))
    throw new UsageError('give a package and two versions, or two archives (.tgz, .whl, .tar.gz)');
  const { describeOnThread } = await import('../../../threads/evidence.ts');
  const [old, next] = await Promise.all(
    paths.map(async (path) => {
      const archive = new Uint8Array(await readFile(path).catch(unreadable(path)));
      const refusals: string[] = [];
      for (const ecosystem of ecosystemsOf(path)) {
        const { needs, refused } = await describeOnThread({ ecosystem, archive }, signal);
        if (needs) return { ecosystem, archive, needs };
        refusals.push(refused);
      }
      throw new CommandFailure(`${path} cannot be read: ${refusals[0]}`);
    }),
  );
  if (!old || !next) throw new UsageError('give two archives');
  const { ecosystem } = old;
  if (next.ecosystem !== ecosystem) throw new UsageError('give two archives of one package');
  const alone = ({ archive }: { archive: Uint8Array }) => ({ ecosystem, archive, dependencies: [], types: null });
  const name = old.needs.name === next.needs.name ? old.needs.name : `${old.needs.name} and ${next.needs.name}`;
  const versions = { from: old.needs.version, to: next.needs.version };
  return { ecosystem, name, answer: await compared({ old: alone(old), next: alone(next), ...versions, signal }) };
}

// npm packs `.tgz`; what ends otherwise is another one's sooner.
function ecosystemsOf(path: string): readonly Ecosystem[] {
  return path.endsWith('.tgz') ? COMPARED_ECOSYSTEMS : COMPARED_ECOSYSTEMS.toReversed();
}

function unreadable(path: string): (error: Error) => never {
  return (error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  };
}

async function comparePublished({ args, env, signal }: Session): Promise<NamedAnswer> {
  const named = withEcosystem(args.package ?? '');
  const name = named?.rest ?? args.package ?? '';
  const ecosystem = named?.ecosystem ?? COMPARED_ECOSYSTEMS[0];
  if (ecosystem === undefined || !isComparedEcosystem(ecosystem))
    throw new UsageError(`packages of ${ecosystem} are not compared`);
  const { openFolderSource } = await import('../../../check/packages/open-source.ts');
  const { gatherPair, meantVersion } = await import('../../../check/evidence/gather.ts');
  const { source, settings } = openFolderSource({ folder: '.', env, signal, isOffline: false, isDated: true });
  const listing = await source.listing({ ecosystem, name }).catch(told);
  const [from, to] = [args.from ?? '', args.to ?? ''].map((asked) => {
    const version = meantVersion(listing, asked);
    const tags = distTagWords(listing.tags);
    const known = tags === '' ? '' : `; its tags are ${tags}`;
    if (version === null) throw new CommandFailure(`${name} has no published version ${asked}${known}`);
    return version;
  });
  if (!from || !to) throw new UsageError('give two versions');
  const isPublic = factsOfEcosystem(ecosystem).settingsFile === null || settings.registryOf(name).isPublic;
  // What a private package needs may be private too.
  const mayName = (needed: string) => isPublic || !settings.registryOf(needed).isPublic;
  const pair = await gatherPair(source, { ecosystem, name, from, to, isPublic, mayName }).catch(told);
  return { ecosystem, name, answer: await compared({ ...pair, from: from.version, to: to.version, signal }) };
}

// What a registry does not tell ends the command.
function told(error: Error): never {
  throw error.name === 'NotTold' ? new CommandFailure(error.message) : error;
}

async function compared(
  pair: Parameters<typeof import('../../../threads/evidence.ts').compareOnThread>[0] & {
    from: string;
    to: string;
    signal: AbortSignal;
  },
): Promise<CompareAnswer> {
  const { compareOnThread } = await import('../../../threads/evidence.ts');
  const { from, to, signal, old, next } = pair;
  const result = await compareOnThread({ old, next }, { signal });
  if (result.kind === 'refused') throw new CommandFailure(`an archive cannot be read: ${result.reason}`);
  if (result.kind === 'too_large') {
    const nothing = { types: null, findings: [], more: 0, counts: { proven: 0, likely: 0 }, comparedAt: null };
    return { status: 'too_large', from, to, ...nothing };
  }
  const { types, findings, more, counts } = result.evidence;
  const status = types === 'none' ? 'no_types' : 'compared';
  return { status, from, to, types, findings, more, counts, comparedAt: new Date().toISOString() };
}
