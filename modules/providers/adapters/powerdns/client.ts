import type { AdapterContext } from '../../context.ts'
import { ProviderError } from '../../contract.ts'
import { ApiClient, ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { serverUrl, type Credentials } from './account.ts'

/** The HTTP API of one PowerDNS server (https://doc.powerdns.com/authoritative/http-api/). */
export function openApi(credentials: Credentials, context: AdapterContext): ApiClient {
  const { apiUrl, apiKey, serverId, proxyUser = '', proxyPassword = '' } = credentials
  const isProxied = proxyUser !== '' || proxyPassword !== ''
  return new ApiClient(
    {
      provider: 'PowerDNS',
      url: serverUrl(apiUrl, serverId),
      isOwnAddress: true,
      secrets: [apiKey, proxyPassword],
      authenticate: () => ({
        'x-api-key': apiKey,
        ...(isProxied && { authorization: basicAuthentication(proxyUser, proxyPassword) }),
      }),
      explain,
    },
    context,
  )
}

/** PowerDNS reports a failed write. The write has ended, but its effect is unknown. */
export const isServerFailure = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 500 && error.hasReason

/** Meanings that the status alone does not tell. */
function explain({ status, body }: Answer, path: string): Failure | undefined {
  if (status < 300) return undefined
  if (status === 401) return { message: 'PowerDNS refuses the API key' }
  const reason = reasonOf(body)
  // Not an answer of PowerDNS: the address is wrong.
  if (reason === undefined) return status === 404 ? { kind: 'unavailable' } : {}
  // Before 4.2 these two were 422 as well.
  if (status === 404 || (status === 422 && /^Could not find domain/i.test(reason)))
    return { kind: 'not_found', message: path.startsWith('/zones/') ? NO_ZONE : NO_SERVER }
  if (status === 422 && /already exists/i.test(reason)) return { kind: 'conflict', reason }
  return { reason }
}

const NO_ZONE = 'PowerDNS does not have this zone'
const NO_SERVER = 'PowerDNS has no such server; check serverId, or the path in apiUrl'

/** Undefined if the answer is not from PowerDNS. */
function reasonOf(body: unknown): string | undefined {
  if (!isObject(body) || typeof body['error'] !== 'string') return undefined
  // A hint for users of the server's command line.
  return body['error'].replace(" (try 'pdnsutil check-zone')", '')
}

/** The answer has status 200, but not the form of PowerDNS. */
export const malformed = () =>
  new ProviderError('unavailable', "The answer is not in PowerDNS's format: check apiUrl")

/** RFC 7617. */
const basicAuthentication = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
