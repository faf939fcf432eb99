import { typeOf } from '../../../dns/types/index.ts'
import { readName } from '../../../dns/wire/wire-name.ts'
import type { Soa, Zone } from '../contract.ts'

/** The name servers of a zone as its provider lists them. Without any, they are unknown. */
export function nameServersOf(
  servers: readonly (string | null | undefined)[] | null | undefined,
): Pick<Zone, 'nameServers'> {
  const nameServers = (servers ?? []).flatMap((server) => (server ? (readName(server) ?? []) : []))
  return nameServers.length === 0 ? {} : { nameServers }
}

/** DS records in presentation form, canonical; leaves out unreadable ones. */
export const dsOf = (records: readonly string[]): string[] =>
  records.flatMap((record) => typeOf('DS').read(record) ?? [])

/** The SOA with the next serial (RFC 1982), for providers that do not raise it themselves. */
export const raised = <S extends Pick<Soa, 'serial'>>(soa: S): S => ({
  ...soa,
  serial: (soa.serial + 1) % 2 ** 32,
})
