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

/** PowerDNS itself says that a write failed: it is over, but what it left behind is to be seen. */
export const isServerFailure = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 500 && error.hasReason

/** What PowerDNS means where its status alone does not say it. */
function explain({ status, body }: Answer, path: string): Failure | undefined {
  if (status < 300) return undefined
  if (status === 401) return { message: 'PowerDNS refuses the API key' }
  const reason = reasonOf(body)
  // Something else answers, at a wrong address.
  if (reason === undefined) return status === 404 ? { kind: 'unavailable' } : {}
  // Before 4.2 these two were 422 as well.
  if (status === 404 || (status === 422 && /^Could not find domain/i.test(reason)))
    return { kind: 'not_found', message: path.startsWith('/zones/') ? NO_ZONE : NO_SERVER }
  if (status === 422 && /already exists/i.test(reason)) return { kind: 'conflict', reason }
  return { reason }
}

const NO_ZONE = 'PowerDNS does not have this zone'
const NO_SERVER = 'PowerDNS has no server of this name: check serverId, or the path in apiUrl'

/** Undefined when the answer isn't PowerDNS's. */
function reasonOf(body: unknown): string | undefined {
  if (!isObject(body) || typeof body['error'] !== 'string') return undefined
  // A hint for those at the server's command line.
  return body['error'].replace(" (try 'pdnsutil check-zone')", '')
}

/** The answer, although of status 200, is none that PowerDNS gives. */
export const malformed = () =>
  new ProviderError(
    'unavailable',
    "The server answered something that is not PowerDNS's format: check apiUrl",
  )

/** RFC 7617. */
const basicAuthentication = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
