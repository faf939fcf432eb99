import type { FastifyContextConfig } from 'fastify'
import type { Permission } from '../../schemas/people/permission.ts'

type Rule = Pick<FastifyContextConfig, 'access' | 'permission' | 'ofAccount'>

/**
 * Where a set of routes is offered: to clients that sign in, under /api, and to programs with personal
 * tokens, under the versioned /api/v1. What both offer is registered once for each, so it stays the same.
 */
export interface Audience {
  /** Prefix of paths in answers. */
  base: string
  /** The access rule of a route that needs this permission. */
  rule: (permission: Permission) => Rule
  /** The same where the route is about no single domain: no token may that is narrowed to a part of them. */
  accountRule: (permission: Permission) => Rule
  /** The same for administrators alone. */
  adminRule: (permission: Permission) => Rule
  tags: (tag: string) => string[]
  operationId: (name: string) => string
}

export const SIGNED_IN: Audience = {
  base: '/api',
  rule: () => ({ access: 'user' }),
  accountRule: () => ({ access: 'user' }),
  adminRule: () => ({ access: 'admin' }),
  tags: (tag) => [tag],
  operationId: (name) => name,
}

export const OPEN_API: Audience = {
  base: '/api/v1',
  rule: (permission) => ({ access: 'api', permission }),
  accountRule: (permission) => ({ access: 'api', permission, ofAccount: true }),
  adminRule: (permission) => ({ access: 'api-admin', permission, ofAccount: true }),
  tags: (tag) => ['Open API', tag],
  operationId: (name) => `v1${name.charAt(0).toUpperCase()}${name.slice(1)}`,
}

/** The name of an operation where there is the Open API alone. */
export const plainOperationId = (operationId: string): string =>
  operationId.replace(/^v1([A-Z])/, (_, first: string) => first.toLowerCase())
