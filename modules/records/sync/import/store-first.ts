import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../../db/connection/connect.ts'
import type { Caller } from '../../../../plugins/security/access/index.ts'
import { recordAudits } from '../../../audit/service.ts'
import type { DomainRow } from '../../../domains/access/access.ts'
import type { ProviderRecords } from '../sync-provider.ts'
import { chunks } from '../sync-store.ts'
import { storeUnmanaged } from '../unmanaged-queries.ts'
import { insertFirstChanges, insertFirstItems, insertFirstRecords } from './first-queries.ts'

interface FirstReading {
  domain: DomainRow
  there: ProviderRecords
}

/**
 * Stores the records of domains that the same transaction has registered, each domain with its change in the history and
 * its entry in the audit log, as a first sync does.
 */
export async function storeFirst(
  trx: Executor,
  caller: Caller,
  readings: readonly FirstReading[],
): Promise<void> {
  const changes = readings
    .filter(({ there }) => there.records.size > 0)
    .map(({ domain, there }) => ({ id: uuidv7(), domain, records: [...there.records.values()] }))
  const records = changes.flatMap(({ id: changeId, domain, records: found }) =>
    found.map((record, position) => ({ id: uuidv7(), domainId: domain.id, changeId, position, ...record })),
  )
  for (const chunk of chunks(records)) await insertFirstRecords(trx, chunk)
  if (changes.length > 0)
    await insertFirstChanges(
      trx,
      caller,
      changes.map(({ id, domain }) => ({ id, domainId: domain.id })),
    )
  for (const chunk of chunks(records)) await insertFirstItems(trx, chunk)
  await recordAudits(
    trx,
    changes.map(({ id: changeId, domain: { id, name }, records: found }) => ({
      actor: caller,
      entry: {
        action: 'domain.synced',
        target: { type: 'domain', id, name },
        after: { changeId, created: found.length, updated: 0, deleted: 0 },
      },
    })),
  )
  for (const { domain, there } of readings)
    if (there.unmanaged.length > 0) await storeUnmanaged(trx, domain.id, there.unmanaged)
}
