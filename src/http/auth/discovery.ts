// The OAuth metadata documents, which tell apps how to ask for access.
import { z } from 'zod';
import { issuerOf, resourcesOf } from '../../accounts/auth/access-token.ts';
import { OAUTH_SCOPES, RESOURCE_SCOPES } from '../../accounts/auth/scopes.ts';
import type { Config } from '../../config.ts';
import { AUTH_METHODS } from '../../contract/oauth-client.ts';
import { Reply } from '../kernel/reply.ts';
import { type RouteDeclaration, route } from '../kernel/route.ts';

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=3600' };

// The documents are served at the root and in both places where clients look for an issuer or a resource with a path:
// the well-known segment after the path and before it.
export function discoveryRoutes(config: Config): RouteDeclaration[] {
  const server = serverMetadata(config);
  const openid = { ...server, ...openidMetadata(config) };
  const [api = '', mcp = ''] = resourcesOf(config);
  const documents: [path: string, summary: string, body: object][] = [
    ['/.well-known/oauth-authorization-server', 'How apps ask for access', openid],
    ['/.well-known/oauth-authorization-server/api/auth', 'How apps ask for access', openid],
    ['/api/auth/.well-known/oauth-authorization-server', 'How apps ask for access', openid],
    ['/.well-known/openid-configuration', 'How apps sign users in', openid],
    ['/.well-known/openid-configuration/api/auth', 'How apps sign users in', openid],
    ['/api/auth/.well-known/openid-configuration', 'How apps sign users in', openid],
    ['/.well-known/oauth-protected-resource', 'Who gives access to the API', resourceMetadata(config, api)],
    [
      '/.well-known/oauth-protected-resource/mcp',
      'Who gives access to the agent protocol',
      resourceMetadata(config, mcp),
    ],
  ];
  return documents.map(([path, summary, body]) => document(path, summary, body));
}

function document(path: string, summary: string, body: object): RouteDeclaration {
  const text = JSON.stringify(body);
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Machine descriptions',
    access: 'public',
    answers: { 200: z.looseObject({}) },
    run: async () => new Reply(200, text, HEADERS),
  });
}

function serverMetadata(config: Config): Record<string, unknown> {
  const issuer = issuerOf(config);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    registration_endpoint: `${issuer}/oauth2/register`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    device_authorization_endpoint: `${issuer}/device/code`,
    jwks_uri: `${issuer}/jwks`,
    scopes_supported: OAUTH_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: AUTH_METHODS.filter((method) => method !== 'none'),
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${config.baseUrl}/v1/docs`,
  };
}

function openidMetadata(config: Config): Record<string, unknown> {
  const issuer = issuerOf(config);
  return {
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    end_session_endpoint: `${issuer}/oauth2/end-session`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'name', 'picture', 'email', 'email_verified'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

function resourceMetadata(config: Config, resource: string): Record<string, unknown> {
  return {
    resource,
    authorization_servers: [issuerOf(config)],
    scopes_supported: RESOURCE_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: config.siteName,
    resource_documentation: `${config.baseUrl}/v1/docs`,
  };
}
