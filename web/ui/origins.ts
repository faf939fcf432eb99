import type { Schemas } from '../api/schema.d.ts'

/** Origins of requests, for a filter. */
export const ORIGINS = [
  'console',
  'api',
  'cli',
  'mcp',
  'ddns',
  'acme',
  'external-dns',
  'powerdns-api',
  'dns-update',
  'failover',
  'schedule',
  'sync',
  'enforce',
] as const satisfies readonly Schemas['Origin'][]
