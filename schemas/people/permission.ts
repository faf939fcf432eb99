import { Type, type Static } from '@sinclair/typebox'
import { named } from '../named.ts'

/** Permissions of personal tokens. */
export const PERMISSIONS = [
  'domains:read',
  'domains:write',
  'records:read',
  'records:write',
  'changes:review',
  'templates:read',
  'templates:write',
  'providers:read',
  'assignments:read',
  'assignments:write',
  'notifications:read',
  'notifications:write',
  'audit:read',
  'ddns:update',
  'acme:challenge',
] as const

export const Permission = Type.Unsafe<(typeof PERMISSIONS)[number]>({
  ...named('TokenPermission'),
  type: 'string',
  enum: [...PERMISSIONS],
  examples: ['records:read'],
})
export type Permission = Static<typeof Permission>
