import { ApiFailure, type Answer, type ApiClient, type Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { serverUrl, type Credentials } from './index.ts'

/** The HTTP API of one PowerDNS server (https://doc.powerdns.com/authoritative/http-api/). */
export function openApi(account: Account<Credentials>): ApiClient {
  const { apiUrl, apiKey, serverId, proxyUser = '', proxyPassword = '' } = account.credentials
  const isProxied = proxyUser !== '' || proxyPassword !== ''
  const proof = {
    'x-api-key': apiKey,
    // RFC 7617.
    ...(isProxied && {
      authorization: `Basic ${Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64')}`,
    }),
  }
  return clientOf(
    { ...account, url: serverUrl(apiUrl, serverId) },
    { secrets: [apiKey, proxyPassword], authenticate: () => proof, explain },
  )
}

/** PowerDNS reports a failed write. The write has ended, but its effect is unknown. */
export const isServerFailure = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status === 500 && error.hasReason

/** Meanings that the status alone does not tell. */
function explain({ status, body }: Answer, path: string): Failure | undefined {
  if (status < 300) return undefined
  if (status === 401) return { message: 'PowerDNS refuses the API key' }
  // Not an answer of PowerDNS: the address is wrong.
  if (!isObject(body) || typeof body['error'] !== 'string')
    return status === 404 ? { kind: 'unavailable' } : {}
  // A hint for users of the server's command line.
  const reason = body['error'].replace(" (try 'pdnsutil check-zone')", '')
  // Before 4.2 these two were 422 as well.
  if (status === 404 || (status === 422 && /^Could not find domain/i.test(reason)))
    return { kind: 'not_found', message: path.startsWith('/zones/') ? NO_ZONE : NO_SERVER }
  if (status === 422 && /already exists/i.test(reason)) return { kind: 'conflict', reason }
  return { reason }
}

const NO_ZONE = 'PowerDNS does not have this zone'
const NO_SERVER = 'PowerDNS has no such server; check serverId, or the path in apiUrl'
