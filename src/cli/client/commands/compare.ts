// What two published versions of a package show side by side, without a server.

import { readFile } from 'node:fs/promises';
import { COMPARED_ECOSYSTEM } from '../../../domain/ecosystems/index.ts';
import { CommandFailure, EXIT, UsageError } from '../../command.ts';
import { clientCommand, type Session } from '../client-command.ts';
import type { CompareAnswer } from '../evidence/print.ts';

export const compareCommands = [
  clientCommand({
    name: 'compare',
    summary: 'What two published versions of an npm package show: removed names, raised engines, changed signatures',
    arguments: [
      { name: 'package', help: 'name of the package, or the archive of the old version (.tgz)' },
      { name: 'from', help: 'version in use, or the archive of the new version' },
      { name: 'to', help: 'version to go to, or a tag such as latest', optional: true },
    ],
    positionals: '<package> <from> <to> | <old.tgz> <new.tgz>',
    flags: {
      witness: { type: 'boolean', help: 'with each finding, code that the old version takes and the new one does not' },
    },
    examples: ['registry compare zod 3.25.76 4.0.0', 'registry compare acme-1.4.0.tgz acme-2.0.0.tgz --json'],
    run: async (session) => {
      const { args, flags, output } = session;
      const compared = args.to === undefined ? await compareFiles(session) : await comparePublished(session);
      const { printComparison, printWitnesses } = await import('../evidence/print.ts');
      if (output.mode === 'json') output.json(compared.answer);
      else printComparison(output, compared.name, compared.answer);
      if (output.mode !== 'json' && flags.witness) printWitnesses(output, compared.answer);
      return EXIT.ok;
    },
  }),
];

interface NamedAnswer {
  name: string;
  answer: CompareAnswer;
}

async function compareFiles({ args, signal }: Session): Promise<NamedAnswer> {
  const paths = [args.package ?? '', args.from ?? ''];
  if (!paths.every((path) => /\.t(?:ar\.)?gz$/.test(path)))
    throw new UsageError('give a package and two versions, or two archives (.tgz)');
  const { describeOnThread } = await import('../../../threads/evidence.ts');
  const [old, next] = await Promise.all(
    paths.map(async (path) => {
      const archive = new Uint8Array(await readFile(path).catch(unreadable(path)));
      const { needs, refused } = await describeOnThread(archive, signal);
      if (!needs) throw new CommandFailure(`${path} cannot be read: ${refused}`);
      return { archive, needs };
    }),
  );
  if (!old || !next) throw new UsageError('give two archives');
  const alone = ({ archive }: { archive: Uint8Array }) => ({ archive, dependencies: [], types: null });
  const name = old.needs.name === next.needs.name ? old.needs.name : `${old.needs.name} and ${next.needs.name}`;
  const versions = { from: old.needs.version, to: next.needs.version };
  return { name, answer: await compared({ old: alone(old), next: alone(next), ...versions, signal }) };
}

function unreadable(path: string): (error: Error) => never {
  return (error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  };
}

async function comparePublished({ args, env, signal }: Session): Promise<NamedAnswer> {
  const name = args.package ?? '';
  const { openFolderSource } = await import('../../../check/packages/open-source.ts');
  const { gatherPair, meantVersion } = await import('../../../check/evidence/gather.ts');
  const { distTagWords } = await import('../../../domain/upgrade/dist-tags.ts');
  const { source, settings } = openFolderSource({ folder: '.', env, signal, isOffline: false, isDated: true });
  const listing = await source.listing({ ecosystem: COMPARED_ECOSYSTEM, name }).catch(told);
  const [from, to] = [args.from ?? '', args.to ?? ''].map((asked) => {
    const version = meantVersion(listing, asked);
    const tags = distTagWords(listing.tags);
    const known = tags === '' ? '' : `; its tags are ${tags}`;
    if (version === null) throw new CommandFailure(`${name} has no published version ${asked}${known}`);
    return version;
  });
  if (!from || !to) throw new UsageError('give two versions');
  const { isPublic } = settings.registryOf(name);
  // What a private package needs may be private too.
  const mayName = (needed: string) => isPublic || !settings.registryOf(needed).isPublic;
  const pair = await gatherPair(source, { name, from, to, isPublic, mayName }).catch(told);
  return { name, answer: await compared({ ...pair, from: from.version, to: to.version, signal }) };
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
