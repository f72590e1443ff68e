// Which findings the compiler bears witness to: a client of theirs is taken by the old version and not by the new one. All
// clients of an entry point stand in one program a version.
import ts from 'typescript-api';
import { byCertaintyAndWeight, type FindingKind, type Found, type Witness } from '../finding.ts';
import type { Installation } from '../program.ts';

// Of likely findings, which need one to be told, and of proven ones.
const MAX_CLIENTS = { likely: 250, proven: 200 } as const;
const MAX_OF_ONE = 12;
const MAX_ERROR_LENGTH = 300;

interface Client {
  path: string;
  code: string;
}

// Findings with their witnesses, without those that only types told and that no client bears out.
export function witnessed(
  found: readonly Found[],
  [before, after]: readonly [Installation, Installation],
  [oldRoots, newRoots]: readonly [readonly string[], readonly string[]],
): Found[] {
  const tried = clientsOf(found);
  const clients = [...tried.values()].flat();
  if (clients.length === 0) return [...found];
  const failing = after.errorsIn(newRoots, textsOf(clients));
  const refused = [...tried].flatMap(([one, own]) => own.filter(({ path }) => isRefused(one, failing.get(path))));
  const known = refused.length === 0 ? new Map<string, unknown[]>() : before.errorsIn(oldRoots, textsOf(refused));
  return found.flatMap((one) => {
    const own = tried.get(one);
    // A result that nobody can be shown to miss is not told.
    if (!own) return one.kind === 'result_changed' && one.clients?.length === 0 ? [] : [one];
    const client = own.find(({ path }) => known.get(path)?.length === 0);
    if (client) return [{ ...one, witness: witnessOf(client, failing.get(client.path) ?? []) }];
    return one.certainty === 'likely' ? [] : [one];
  });
}

// What an import alone is refused for tells nothing of calls and members.
const OF_IMPORTS: ReadonlySet<number> = new Set([1192, 1361, 1362, 2305, 2307, 2613, 2614, 2724, 7016]);
const IMPORTED: ReadonlySet<FindingKind> = new Set(['export_removed', 'default_export_changed', 'became_type_only']);

function isRefused({ kind }: Found, [first]: readonly ts.Diagnostic[] = []): boolean {
  return first !== undefined && (IMPORTED.has(kind) || !OF_IMPORTS.has(first.code));
}

// What lies nearest to what people use is tried first, as it is listed.
function clientsOf(found: readonly Found[]): Map<Found, Client[]> {
  const order = found.toSorted(byCertaintyAndWeight).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const tried = new Map<Found, Client[]>();
  const counts = { likely: 0, proven: 0 };
  for (const one of order) {
    const codes = (one.clients ?? []).slice(0, MAX_OF_ONE);
    const { certainty } = one;
    if (codes.length === 0 || counts[certainty] + codes.length > MAX_CLIENTS[certainty]) continue;
    tried.set(
      one,
      codes.map((code) => {
        counts[certainty] += 1;
        return { path: `/client-${certainty}-${counts[certainty]}.ts`, code: `${code}\n` };
      }),
    );
  }
  return tried;
}

// A file without an import shares its names with all others of the program.
function textsOf(clients: readonly Client[]): Map<string, string> {
  return new Map(
    clients.map(({ path, code }) => [path, /^import\b/.test(code) ? code : `${code}export {};\n`] as const),
  );
}

function witnessOf({ code }: Client, errors: readonly ts.Diagnostic[]): Witness {
  const [first] = errors;
  const text = first ? `TS${first.code}: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}` : '';
  const error = text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH - 1)}…` : text;
  return { code, language: 'typescript', error };
}
