// What an MCP client is configured with to reach a registry.

interface ClientConfigs {
  // For clients that speak HTTP.
  http: object;
  // For clients that start a program and speak over its standard input and output.
  stdio: object;
}

export function clientConfigs(server: string): ClientConfigs {
  const command = { command: 'registry', args: ['mcp', '--stdio'], env: { REGISTRY_API_URL: server } };
  return {
    http: { mcpServers: { 'release-registry': { type: 'http', url: `${server}/mcp` } } },
    stdio: { mcpServers: { 'release-registry': command } },
  };
}

export function configLines({ http, stdio }: ClientConfigs): string[] {
  return [
    'For clients that speak HTTP. A header `Authorization: Bearer <key>` raises the rate limit; no credential is needed.',
    '',
    ...JSON.stringify(http, null, 2).split('\n'),
    '',
    'For clients that start a program. REGISTRY_API_KEY in `env` raises the rate limit.',
    '',
    ...JSON.stringify(stdio, null, 2).split('\n'),
    '',
    'Some clients call the outer key `servers` instead of `mcpServers`.',
  ];
}
