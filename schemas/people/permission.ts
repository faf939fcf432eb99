import type { Static } from '@sinclair/typebox'
import { named } from '../named.ts'
import { OneOf } from '../scalars.ts'

/** Permissions of personal tokens. */
export const PERMISSIONS = [
  'domains:read',
  'domains:write',
  'records:read',
  'records:write',
  'changes:review',
  'changes:apply',
  'templates:read',
  'templates:write',
  'providers:read',
  'providers:write',
  'providers:test',
  'assignments:read',
  'assignments:write',
  'notifications:read',
  'notifications:write',
  'channels:read',
  'channels:write',
  'audit:read',
  'tokens:read',
  'tokens:revoke',
  'ddns:update',
  'acme:challenge',
] as const

export const Permission = OneOf(PERMISSIONS, { ...named('TokenPermission'), examples: ['records:read'] })
export type Permission = Static<typeof Permission>
