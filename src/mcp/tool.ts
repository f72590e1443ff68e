// A tool is a declaration: name, description, zod input, zod output, one call.
import { z } from 'zod';
import type { ReportRow } from '../domain/upgrade/report/row.ts';
import type { Rendered } from './budget.ts';
import type { RegistryApi } from './registry-api.ts';
import { maxTokens, truncation } from './shapes.ts';

export type Arguments = Record<string, unknown>;

// Reports on a folder of the machine that the server runs on.
export type FolderCheck = (folder: string) => Promise<CheckedFolder>;

interface CheckedFolder {
  rows: ReportRow[];
  // What was not looked at, as the end of a sentence, and sentences on what else is missing.
  left: string | null;
  gaps: string[];
}

export interface ToolCall {
  api: RegistryApi;
  // Only over standard input and output, and only for folders that were opened for it.
  checkFolder?: FolderCheck | undefined;
  maxTokens: number;
  // The arguments as given, which the suggested next call repeats.
  given: Arguments;
}

interface ToolDeclaration<I extends z.ZodRawShape, O extends z.ZodRawShape> {
  name: string;
  title: string;
  // What the tool is for, and when another tool is better.
  description: string;
  // It acts for the account of the caller: reads of it, or changes it.
  account?: 'read' | 'write';
  // The arguments besides `max_tokens`, which every tool takes.
  input: I;
  // The fields of the result besides `truncation`, which every result has.
  output: O;
  run(call: ToolCall, input: z.output<z.ZodObject<I>>): Promise<Rendered>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  account?: 'read' | 'write';
  input: z.ZodObject;
  output: z.ZodObject;
  // The input was read by its own schema.
  run(call: ToolCall, input: unknown): Promise<Rendered>;
}

export function tool<I extends z.ZodRawShape, O extends z.ZodRawShape>(declaration: ToolDeclaration<I, O>): Tool {
  return {
    ...declaration,
    input: z.strictObject({ ...declaration.input, max_tokens: maxTokens }),
    output: z.object({ ...declaration.output, truncation }),
  };
}
