// Writes the pages of the documentation that are generated from the code.
import { writeFileSync } from 'node:fs';
import { COMMON_FLAGS } from '../src/cli/client/common-flags.ts';
import type { Command } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { describedParts, usageOf } from '../src/cli/help.ts';
import { describedSections, INTRODUCTION } from '../src/config/settings.ts';

export function configurationPage(): string {
  const sections = describedSections().flatMap(({ title, settings }) => [
    '',
    `## ${title}`,
    '',
    '| Variable | Meaning | Default |',
    '| --- | --- | --- |',
    ...settings.map(({ name, meaning, preset }) => `| \`${name}\` | ${meaning} | ${preset} |`),
  ]);
  return `${['# Configuration', '', ...INTRODUCTION, ...sections].join('\n')}\n`;
}

export function cliPage(): string {
  const command = ({ name, ...rest }: Command) => {
    const { positionals, flags } = describedParts({ name, ...rest });
    const own = flags.filter(([flag]) => !isCommon(rest, flag));
    const rows = [...positionals, ...own].map(([left, help]) => `| \`${left.replaceAll('|', '\\|')}\` | ${help} |`);
    return [
      '',
      `### registry ${name}`,
      '',
      `${rest.summary}.`,
      '',
      '```',
      usageOf({ name, ...rest }),
      '```',
      ...(rows.length > 0 ? ['', '| Argument or option | Meaning |', '| --- | --- |', ...rows] : []),
      '',
      'Examples:',
      '',
      ...rest.examples.map((example) => `    ${example}`),
    ];
  };
  const shown = COMMANDS.filter(({ isHidden }) => !isHidden);
  const [client, server] = [shown.filter(({ isClient }) => isClient), shown.filter(({ isClient }) => !isClient)];
  const lines = [
    ...CLI_INTRODUCTION,
    ...describedParts({ ...(client[0] as Command), flags: COMMON_FLAGS }).flags.map(
      ([left, help]) => `| \`${left}\` | ${help} |`,
    ),
    '',
    '## Client commands',
    ...client.flatMap(command),
    '',
    '## Server commands',
    '',
    'They read the [configuration](configuration.md) of the registry from the environment.',
    ...server.flatMap(command),
  ];
  return `${lines.join('\n')}\n`;
}

function isCommon({ isClient }: Pick<Command, 'isClient'>, flag: string): boolean {
  return (
    isClient === true && Object.keys(COMMON_FLAGS).some((name) => flag === `--${name}` || flag.startsWith(`--${name} `))
  );
}

const CLI_INTRODUCTION = [
  '# Command line',
  '',
  'One program, `registry`. Server commands run a registry; client commands talk to a running one over HTTP.',
  '`registry help <command>` tells the same as this page.',
  '',
  '| | |',
  '| --- | --- |',
  '| Server | `--server`, else `REGISTRY_API_URL`, else the server of the last login, else `http://localhost:8080` |',
  '| Credential | `REGISTRY_API_KEY`, else the key that `registry login` has stored for that server; none with `--no-auth` |',
  '| Files | `$XDG_CONFIG_HOME/registry/` (`%APPDATA%\\registry` on Windows): `credentials.json`, which only you may read, and `config.json` |',
  '| Output | tables and color on a terminal, tab-separated lines without a header in a pipe, `--json` everywhere, `--md` where the API has markdown |',
  '| Code hosts | `REGISTRY_CODE_HOSTS=gitea=https://git.acme.example, gitlab=https://lab.acme.example`: further hosts whose notes `registry check` reads ([check.md](check.md)) |',
  '| Color | off with `NO_COLOR`, `TERM=dumb` or `--no-color`; on with `FORCE_COLOR` |',
  '| Pages | `--limit`, `--cursor` (told on standard error when there is more), `--all` |',
  '| Errors | one line on standard error; with `--json` the error envelope |',
  '| Exit codes | 0 success; 1 failure, not found, negative check; 2 wrong usage; 130 interrupted |',
  '| Network | 30 s for an answer; reads are tried three times when the connection fails or the answer is 502 to 504; `Retry-After` is honored |',
  '',
  'Nothing is reported to anybody: there is no telemetry.',
  '',
  'Every client command takes these options:',
  '',
  '| Option | Meaning |',
  '| --- | --- |',
];

if (import.meta.main) {
  writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage());
  writeFileSync(new URL('../docs/cli.md', import.meta.url), cliPage());
}
