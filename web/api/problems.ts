import type { Schemas } from './schema.d.ts'

/** Optional members of a problem. */
type Extras = Partial<
  Omit<Schemas['ConflictProblem'], keyof Schemas['Problem']> &
    Omit<Schemas['ProviderProblem'], keyof Schemas['Problem']> &
    Omit<Schemas['ForbiddenProblem'], keyof Schemas['Problem']> &
    Omit<Schemas['UnauthenticatedProblem'], keyof Schemas['Problem']>
>

export type Problem = Schemas['Problem'] & Extras

/** An error answer of the service (RFC 9457). */
export class ApiProblem extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'ApiProblem'
    this.problem = problem
  }
  get code(): Schemas['ErrorCode'] {
    return this.problem.code
  }
  get status(): number {
    return this.problem.status
  }
}

/** No answer: the network or the service is down. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The service does not answer', { cause })
    this.name = 'Unreachable'
  }
}

export const hasCode = (error: unknown, code: Schemas['ErrorCode']): error is ApiProblem =>
  error instanceof ApiProblem && error.code === code

/** Turns an answer from a proxy into a problem. */
export async function problemOf(answer: Response): Promise<Problem> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.includes('json')) {
    const body: unknown = await answer.json().catch(() => null)
    if (typeof body === 'object' && body !== null && 'code' in body) return body as Problem
  }
  return {
    type: 'about:blank',
    title: answer.statusText || 'Error',
    status: answer.status,
    detail: `HTTP ${answer.status}`,
    code: answer.status >= 500 ? 'unavailable' : 'internal',
    requestId: answer.headers.get('x-request-id') ?? '',
  }
}

/**
 * Errors by form field, the first name of each JSON pointer. Errors of fields not in `fields` go into `others`.
 */
export function fieldErrors(
  error: unknown,
  fields: readonly string[],
  say: (wrong: Schemas['FieldError']) => string = ({ message }) => message,
): { byField: Record<string, string[]>; others: string[] } {
  const byField: Record<string, string[]> = {}
  const others: string[] = []
  if (!(error instanceof ApiProblem)) return { byField, others }
  for (const wrong of error.problem.errors ?? []) {
    const { path } = wrong
    const message = say(wrong)
    const parts = path.split('/').slice(1)
    const field = fields.find((name) => `${parts.join('.')}.`.startsWith(`${name}.`))
    if (field === undefined) others.push(`${path.slice(1).replaceAll('/', '.')}: ${message}`)
    else (byField[field] ??= []).push(message)
  }
  const { field, reason = '', params = {}, detail } = error.problem
  if (field !== undefined && fields.includes(field))
    (byField[field] ??= []).push(say({ path: `/${field}`, code: reason, params, message: detail }))
  return { byField, others }
}

/** Zone ids to choose from when several zones have the name; null for other errors. */
export function zonesAsked(error: unknown): string[] | null {
  if (!(error instanceof ApiProblem)) return null
  const asked = error.problem.errors?.find(({ code }) => code === 'several_zones')
  return (asked?.params?.['zoneIds'] as string[] | undefined) ?? null
}
