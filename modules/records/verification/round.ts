import type { CheckedServer } from '../../../db/tables/index.ts'
import type { Dns } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http.ts'
import { compare } from './comparison.ts'
import type { Expected } from './expected.ts'
import type { VerifiedServer } from './servers.ts'

/** Asks all servers for all RRsets once. Rejects when aborted. */
export const askServers = (
  dns: Dns,
  servers: readonly VerifiedServer[],
  wanted: readonly Expected[],
  signal: AbortSignal,
): Promise<CheckedServer[]> => Promise.all(servers.map((server) => askServer(dns, server, wanted, signal)))

/** One question after the other: a server that doesn't answer is not asked for the rest. */
async function askServer(
  dns: Dns,
  { server, address, port }: VerifiedServer,
  wanted: readonly Expected[],
  signal: AbortSignal,
): Promise<CheckedServer> {
  const other: CheckedServer['other'] = []
  const result = (state: CheckedServer['state']): CheckedServer => ({
    server,
    address,
    port,
    state,
    other,
    checkedAt: new Date().toISOString(),
  })
  for (const expected of wanted) {
    const { owner, type, name } = expected
    try {
      const answer = await dns.query({ address, port }, { name: owner, type }, signal)
      const compared = compare(expected, answer)
      if ('answer' in compared) other.push({ name, type, ...compared })
      else if (compared.state !== 'agrees') return result(compared.state)
    } catch (error) {
      if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error
      return result(hasNoRoute(error) ? 'unavailable' : 'no_answer')
    }
  }
  return result('answered')
}

/** Whether this machine has no way to the address at all, usually an IPv6 one. */
const hasNoRoute = ({ cause }: OutboundError): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(cause.code))
