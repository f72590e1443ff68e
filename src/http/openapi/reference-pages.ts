// What renders the reference; the pages themselves are not part of the API.
import type { Context } from '../../context.ts';
import type { OpenApiDocument } from './document-types.ts';

// The pages of the reference as HTML. A group or schema that the document does not have is a `not_found`.
export interface ReferencePages {
  guide(ctx: Context, document: OpenApiDocument): string;
  group(ctx: Context, document: OpenApiDocument, slug: string): string;
  schemas(ctx: Context, document: OpenApiDocument): string;
  schema(ctx: Context, document: OpenApiDocument, name: string): string;
}
