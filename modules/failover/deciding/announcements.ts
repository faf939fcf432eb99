import type { Executor } from '../../../db/connection/connect.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import type { MonitorRow } from '../queries.ts'
import { findDetail, findDomainName } from './state-queries.ts'

type Told = Pick<MonitorRow, 'id' | 'domain_id' | 'name' | 'type' | 'active' | 'alternatives'>

async function fieldsOf(trx: Executor, monitor: Told) {
  const domain = await findDomainName(trx, monitor.domain_id)
  return (
    domain && {
      domainId: monitor.domain_id,
      domainName: domain.name,
      monitorId: monitor.id,
      records: [{ id: monitor.id, name: monitor.name, recordType: monitor.type }],
    }
  )
}

/** Announces a switch that is done. */
export async function announceSwitch(
  trx: Executor,
  monitor: MonitorRow,
  by: { username: string; userId: string } | null,
): Promise<void> {
  const fields = await fieldsOf(trx, monitor)
  const { previous, active, alternatives, change_id: changeId } = monitor
  if (!fields || previous === null || changeId === null) return
  const detail = active > previous || by === null ? await findDetail(trx, monitor.id, previous) : null
  await announce(trx, active < previous ? 'failover.back' : 'failover.switched', {
    metadata: {
      ...fields,
      changeId,
      from: alternatives[previous]?.name ?? '',
      to: alternatives[active]?.name ?? '',
      username: by?.username ?? null,
      detail: monitor.switched_by === 'failure' ? detail : null,
    },
    actorId: by?.userId ?? null,
  })
}

/** Announces that it can't switch, or no longer does. */
export async function announceTrouble(
  trx: Executor,
  event: 'failover.failed' | 'failover.paused',
  monitor: Told,
  reason: string,
): Promise<void> {
  const fields = await fieldsOf(trx, monitor)
  if (!fields) return
  const detail = event === 'failover.failed' ? await findDetail(trx, monitor.id, monitor.active) : null
  await announce(trx, event, { metadata: { ...fields, reason, detail }, actorId: null })
}
