import type { FastifyContextConfig } from 'fastify'
import type { Permission } from '../../schemas/people/permission.ts'

type Rule = Pick<FastifyContextConfig, 'access' | 'permission' | 'ofAccount'>

/**
 * Callers of a set of routes: signed-in users under /api, or programs with personal tokens under the versioned /api/v1.
 * Routes for both are registered once for each.
 */
export interface Audience {
  /** Prefix of paths in responses. */
  base: string
  /** Returns the access rule of routes that need this permission. */
  rule: (permission: Permission) => Rule
  /** The same for routes not about a single domain, which restricted tokens may not call. */
  accountRule: (permission: Permission) => Rule
  /** The same for administrators only. */
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

/** Returns the operation id within the Open API's own description. */
export const plainOperationId = (operationId: string): string =>
  operationId.replace(/^v1([A-Z])/, (_, first: string) => first.toLowerCase())
