// Questions to the full-text index that take several statements. A read thread answers each of them with one message.
import { countDocuments, findCandidates } from './candidates.ts';
import { matchAmongKeys, matchFullText } from './match.ts';

export const PROCEDURES = { countDocuments, findCandidates, matchAmongKeys, matchFullText };

type Procedures = typeof PROCEDURES;
export type ProcedureName = keyof Procedures;
export type ProcedureQuery<Name extends ProcedureName> = Parameters<Procedures[Name]>[1];
export type ProcedureResult<Name extends ProcedureName> = Awaited<ReturnType<Procedures[Name]>>;
