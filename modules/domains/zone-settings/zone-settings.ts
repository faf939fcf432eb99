import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../../../plugins/http/errors.ts'
import type { DomainRow } from '../access/access.ts'
import type { DomainContext } from '../context.ts'

export type ZoneContext = DomainContext & Pick<FastifyInstance, 'leases'>

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
