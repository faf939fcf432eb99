import { hash } from 'node:crypto'
import { AppError } from './errors.ts'

export interface WithCondition {
  /** Entity tags of `If-Match`: the write is meant for a resource that has one of them. */
  ifMatch?: string
}

/** The entity tag of a resource, by what a GET answers. */
export const entityTag = (shown: object): string =>
  `W/"${hash('sha256', JSON.stringify(shown), 'base64url')}"`

/** Compared weakly: proxies that compress make strong tags weak. `tags`: as `If-Match` and `If-None-Match` list them. */
export const isAmong = (tag: string, tags: string): boolean =>
  tags.split(',').some((given) => opaque(given.trim()) === opaque(tag))

const opaque = (tag: string): string => tag.replace(/^W\//, '')

/**
 * Rejects with 412 when `If-Match` names other tags than that of the resource. Called in the transaction that writes,
 * under its locks; `read` answers what a GET would.
 */
export async function requireMatch(
  { ifMatch }: WithCondition,
  read: () => object | Promise<object>,
): Promise<void> {
  if (ifMatch !== undefined && !isAmong(entityTag(await read()), ifMatch)) throw preconditionFailed()
}

/** `extra`: what is there now. */
export const preconditionFailed = (
  detail = 'The resource has changed since the version in `If-Match`; read it again',
  extra: Record<string, unknown> = {},
) => new AppError(412, 'precondition_failed', detail, { extra })
