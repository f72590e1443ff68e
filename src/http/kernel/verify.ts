import type { Reply } from './reply.ts';
import type { RouteDeclaration } from './route.ts';

// What a caller would read must fit what the description promises.
export function verifyReply(declaration: RouteDeclaration, reply: Reply): void {
  if (declaration.answers === null) return;
  const name = `${declaration.method} ${declaration.path}`;
  const schema = declaration.answers[reply.status as 200];
  if (schema === undefined) throw new Error(`${name} does not declare the status ${reply.status}`);
  if (schema === null || reply.headers['Content-Type'] !== undefined) return;
  const result = schema.safeParse(JSON.parse(JSON.stringify(reply.body ?? null)));
  if (!result.success) throw new Error(`${name} answers what its schema does not allow: ${result.error.message}`);
}
