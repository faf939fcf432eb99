import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError, unavailable } from '../../../plugins/http/errors.ts'
import type { DnsAdapter, Zone } from '../../providers/contract.ts'
import { throwProviderFailure } from '../../providers/errors.ts'
import type { ProviderConnection } from '../../providers/traffic/connection.ts'
import type { DomainRow } from '../access/access.ts'
import type { DomainContext } from '../context.ts'
import { connectionOf, zoneOf } from '../registration/zones.ts'

export type ZoneContext = DomainContext & Pick<FastifyInstance, 'leases'>

/** A setting that providers may show, and some of them can change. */
interface ZoneSetting<T> {
  capability: 'soa' | 'dnssec'
  /** For messages: "the SOA". */
  what: string
  read: (adapter: DnsAdapter, zone: Zone) => Promise<T> | undefined
  /** The error of a provider that shows it but can't change it. */
  fixed: (provider: string) => AppError
}

/** Reads a setting from the provider. Rejects with 404 if it does not show it. */
export async function openSetting<T>(
  context: DomainContext,
  domain: DomainRow,
  need: 'read' | 'write',
  { capability, what, read, fixed }: ZoneSetting<T>,
): Promise<{ connection: ProviderConnection; value: NonNullable<T> }> {
  const connection = await connectionOf(context, domain)
  const { name, capabilities } = connection.provider
  const can = capabilities[capability]
  if (can === 'none') throw new AppError(404, 'not_found', `${name} does not show ${what}`)
  if (need === 'write' && can !== 'write') throw fixed(name)
  const value = await connection
    .call(async (adapter) => read(adapter, zoneOf(domain)))
    .catch(throwProviderFailure)
  if (!value) throw new Error(`${name} declares ${what} but its adapter can't read it`)
  return { connection, value }
}

const MAX_WAIT_MS = 5_000
const RETRY_MS = 100

/** Changes zone settings at the provider, one change at a time, so nothing changes between its read and write. */
export async function changingZone<T>(
  { leases }: ZoneContext,
  { id, name }: Pick<DomainRow, 'id' | 'name'>,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (!(await leases.take('zone_settings', id))) {
    if (Date.now() > deadline) {
      throw unavailable(`Another change of the settings of ${name} is in progress`, { seconds: 1 })
    }
    await sleep(RETRY_MS)
  }
  try {
    return await work()
  } finally {
    await leases.end('zone_settings', id)
  }
}
