// The environment in which a local server replaces the code host: its API, its files and its pages.
export function githubEnv(origin: string): Record<string, string> {
  return {
    REGISTRY_EGRESS_ALLOW: '127.0.0.0/8',
    REGISTRY_HOST_DELAY_MS: '0',
    REGISTRY_GITHUB_API_URL: origin,
    REGISTRY_GITHUB_RAW_URL: origin,
    REGISTRY_GITHUB_WEB_URL: origin,
    REGISTRY_GITHUB_TOKEN: 'token',
  };
}
