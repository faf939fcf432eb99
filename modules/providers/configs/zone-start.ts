import { toMailboxName } from '../../../dns/names/mailbox.ts'
import { parseHostName } from '../../../dns/names/names.ts'
import { NAME_SERVER } from '../../../dns/types/hosts/targets.ts'
import { invalid, type FieldError } from '../../../plugins/http/errors.ts'
import { readServer } from '../../../plugins/outbound/dns/index.ts'
import type { NewZone } from '../contract.ts'

/** Settings of the zones of a provider connection; the first two are for zones created with it. */
export interface ZoneStart {
  /** In lower case, without final dots. */
  nameServers: string[]
  /** A mail address; null: hostmaster at the zone. */
  hostmaster: string | null
  /** Addresses with optional ports, see `readServer` of plugins/outbound/dns. */
  verifyServers: string[]
}

/** Validates a user's input; missing fields stay unchanged. Throws all errors together. */
export function readZoneStart(input: Partial<ZoneStart>, stored: ZoneStart): ZoneStart {
  const parsed = input.nameServers?.map((server) => parseHostName(server, NAME_SERVER))
  const errors: FieldError[] = (parsed ?? []).flatMap((result, i) =>
    result.ok ? [] : [{ path: `/nameServers/${i}`, code: result.code, message: result.reason }],
  )
  const { hostmaster = stored.hostmaster } = input
  const mailbox = hostmaster === null ? null : toMailboxName(hostmaster)
  if (mailbox && !mailbox.ok)
    errors.push({ path: '/hostmaster', code: mailbox.code, message: mailbox.reason })
  for (const [i, server] of (input.verifyServers ?? []).entries()) {
    if (readServer(server) === null) {
      const message = 'must be an IP address with an optional port, such as 192.0.2.53 or [2001:db8::53]:5353'
      errors.push({ path: `/verifyServers/${i}`, code: 'server_address', message })
    }
  }
  if (errors.length > 0) throw invalid(...errors)
  const names = parsed?.flatMap((result) => (result.ok ? [result.name] : []))
  return {
    nameServers: names ? [...new Set(names)] : stored.nameServers,
    hostmaster: hostmaster?.trim() ?? null,
    verifyServers: [...new Set(input.verifyServers ?? stored.verifyServers)],
  }
}

// Seconds, as recommended by RFC 1912 section 2.2 and RFC 2308 section 5.
const TIMES = { refresh: 10_800, retry: 3_600, expire: 1_209_600, minimum: 3_600 }
const TTL = 3_600

/** Returns the apex records of a new zone. */
export function startOf(
  name: string,
  { nameServers, hostmaster }: Pick<ZoneStart, 'nameServers' | 'hostmaster'>,
): NewZone {
  const mailbox = toMailboxName(hostmaster ?? `hostmaster@${name}`)
  const [primary = ''] = nameServers
  return {
    name,
    nameServers,
    soa: {
      primary,
      mailbox: mailbox.ok ? mailbox.name : `hostmaster.${name}`,
      serial: 1,
      ...TIMES,
      ttl: TTL,
    },
  }
}
