// Packages that most developers know. A registry that was filled with the sample reads them by itself, in this order.
import type { Ecosystem, PackageName } from '../domain/ecosystems/index.ts';

const NPM = `
  react zod express typescript eslint next vite chalk commander uuid
  axios vue lodash jest tailwindcss react-dom prettier webpack node-fetch dotenv
  vitest rxjs date-fns yargs glob rimraf redux react-router ws mongoose
  prisma knex socket.io svelte fastify hono koa esbuild rollup postcss
  nodemailer pino winston debug semver minimatch inquirer ora execa got
  p-limit nanoid ajv yup joi body-parser cors helmet jsonwebtoken bcrypt
  sharp cheerio puppeteer playwright cypress mocha chai sinon nock supertest
  graphql pg mysql2 redis ioredis sequelize typeorm drizzle-orm zustand immer
  react-hook-form styled-components marked
`;

const PYPI = `
  django flask fastapi pydantic sqlalchemy requests numpy pandas pytest click
  celery httpx aiohttp boto3 cryptography jinja2 pillow scikit-learn matplotlib urllib3
  uvicorn redis psycopg attrs black mypy setuptools packaging rich typer
  openai marshmallow werkzeug
`;

const namesIn = (ecosystem: Ecosystem, list: string): PackageName[] =>
  list.split(/\s+/).flatMap((name) => (name === '' ? [] : { ecosystem, name }));

export const STARTER: readonly PackageName[] = mixed(namesIn('npm', NPM), namesIn('pypi', PYPI));

// Some of the second list stand between those of the first.
function mixed(first: readonly PackageName[], second: readonly PackageName[]): PackageName[] {
  const each = Math.max(1, Math.floor(first.length / Math.max(1, second.length)));
  return [
    ...first.flatMap((one, index) => {
      const other = (index + 1) % each === 0 ? second[(index + 1) / each - 1] : undefined;
      return other ? [one, other] : [one];
    }),
    ...second.slice(Math.floor(first.length / each)),
  ];
}
