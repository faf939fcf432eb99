import { hash } from 'node:crypto'
import { AppError } from './errors.ts'

export interface WithCondition {
  /** Entity tags of `If-Match`, one of which the resource must have. */
  ifMatch?: string
}

/** Returns the entity tag of a resource from the body of its GET. */
export const entityTag = (shown: object): string =>
  `W/"${hash('sha256', JSON.stringify(shown), 'base64url')}"`

/** Compares weakly, because compressing proxies make strong tags weak. `tags` is a list as in `If-Match`. */
export const isAmong = (tag: string, tags: string): boolean =>
  tags.split(',').some((given) => opaque(given.trim()) === opaque(tag))

const opaque = (tag: string): string => tag.replace(/^W\//, '')

/**
 * Rejects with 412 if `If-Match` does not contain the resource's tag. Call it in the writing transaction, under its locks;
 * `read` returns the body of a GET.
 */
export async function requireMatch(
  { ifMatch }: WithCondition,
  read: () => object | Promise<object>,
): Promise<void> {
  if (ifMatch !== undefined && !isAmong(entityTag(await read()), ifMatch)) throw preconditionFailed()
}

/** `extra` describes the current version. */
export const preconditionFailed = (
  detail = '`If-Match` does not match the current version; read the resource again',
  extra: Record<string, unknown> = {},
) => new AppError(412, 'precondition_failed', detail, { extra })
