import { randomUUID } from 'node:crypto'
import { Refused, json } from './answers.ts'
import type { SimulatorAnswer } from './server.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

export const answer = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): SimulatorAnswer => json(status, value, { ...JSON_TYPE, 'x-ms-request-id': randomUUID(), ...headers })

export const empty = (status: number, headers: Record<string, string> = {}): SimulatorAnswer => ({
  status,
  headers: { 'x-ms-request-id': randomUUID(), ...headers },
})

/** As what stands before all of Azure's services says it. */
export const refusal = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Refused => new Refused(answer(status, { error: { code, message } }, headers))

/** As its DNS says it, without the `error` around. */
export const bare = (status: number, code: string, message: string): Refused =>
  new Refused(answer(status, { code, message }))

export const badRequest = (message: string) => bare(400, 'BadRequest', message)
export const notFound = (code: string, message: string) => refusal(404, code, message)
export const unauthenticated = () =>
  refusal(401, 'InvalidAuthenticationToken', 'The access token is missing, invalid or expired.', {
    'www-authenticate':
      'Bearer authorization_uri="https://login.windows.net/", error="invalid_token", error_description="The access token is invalid."',
  })
export const unauthorized = (client: string, action: string, scope: string) =>
  refusal(
    403,
    'AuthorizationFailed',
    `The client '${client}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid.`,
  )
export const throttled = (seconds: number) =>
  refusal(429, 'TooManyRequests', 'The request is being throttled as the limit has been reached.', {
    'retry-after': String(seconds),
  })
export const internalError = () => refusal(500, 'InternalServerError', 'An error occurred.')

/** What `If-Match` and `If-None-Match` say of the tag; undefined: there is nothing yet. Throws Refused. */
export function checkConditions(headers: NodeJS.Dict<string | string[]>, tag: string | undefined): void {
  const failed = (header: string, value: string) =>
    bare(
      412,
      'PreconditionFailed',
      `The condition '${value}' in the ${header} header was not satisfied. The current was '${tag ?? 'n/a'}'.`,
    )
  const [match, noneMatch] = [headers['if-match'], headers['if-none-match']]
  const isMet = (value: string) => tag !== undefined && (value === '*' || value.replaceAll('"', '') === tag)
  if (match !== undefined && !isMet(String(match))) throw failed('If-Match', String(match))
  if (noneMatch !== undefined && isMet(String(noneMatch))) throw failed('If-None-Match', String(noneMatch))
}
