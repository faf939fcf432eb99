import { Refused, json } from './answers.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=UTF-8' }

export const ok = (value: unknown) => json(200, value, JSON_TYPE)

/** In the envelope of Google's APIs. `reason` is for programs. */
export const refusal = (
  code: number,
  reason: string,
  message: string,
  { headers = {}, ...more }: Record<string, unknown> & { headers?: Record<string, string> } = {},
): Refused => {
  const error = { code, message, errors: [{ message, domain: 'global', reason }], ...more }
  return new Refused(json(code, { error }, { ...JSON_TYPE, ...headers }))
}

export const invalid = (what: string, value?: unknown) =>
  refusal(400, 'invalid', `Invalid value for '${what}'${typeof value === 'string' ? `: '${value}'` : ''}`)
export const missing = (what: string, name: string) =>
  refusal(404, 'notFound', `The '${what}' resource named '${name}' does not exist.`)
export const alreadyExists = (what: string, name: string) =>
  refusal(409, 'alreadyExists', `The resource '${what}' named '${name}' already exists`)
export const required = (what: string) =>
  refusal(400, 'required', `The '${what}' parameter is required but was missing.`)
export const unauthenticated = () =>
  refusal(
    401,
    'authError',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    {
      status: 'UNAUTHENTICATED',
      headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/"' },
    },
  )
export const forbidden = () => refusal(403, 'forbidden', 'Forbidden')
export const rateLimited = () =>
  refusal(
    429,
    'rateLimitExceeded',
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'dns.googleapis.com'.",
  )
export const backendError = () => refusal(503, 'backendError', 'Backend Error', { status: 'UNAVAILABLE' })
