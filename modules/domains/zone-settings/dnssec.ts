import { typeOf } from '../../../dns/types/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, conflict } from '../../../plugins/http/errors.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import { differences, recordAudit } from '../../audit/service.ts'
import type { Dnssec } from '../../providers/contract.ts'
import { throwProviderFailure } from '../../providers/errors.ts'
import { requireDomain, type DomainRow } from '../access/access.ts'
import type { DomainContext } from '../context.ts'
import { changingZone, type ZoneContext } from './zone-settings.ts'
import { connectionOf, zoneOf } from '../registration/zones.ts'

/** Reads the DNSSEC status from the provider. Rejects with 404 if it does not show it. */
export async function readDnssec(context: DomainContext, caller: Caller, id: string) {
  const domain = await requireDomain(context.db, caller, id, 'read')
  return toWire((await open(context, domain, 'read')).dnssec)
}

/** Enables or disables signing. */
export async function changeDnssec(
  context: ZoneContext,
  caller: Caller,
  id: string,
  { signed }: { signed: boolean },
) {
  const domain = await requireDomain(context.db, caller, id, 'writeAll')
  return changingZone(context, domain, () => change(context, caller, domain, signed))
}

async function change(context: DomainContext, caller: Caller, domain: DomainRow, signed: boolean) {
  const { connection, dnssec: before } = await open(context, domain, 'write')
  await requireMatch(caller, () => toWire(before))
  const after = await connection
    .change(async (adapter) => {
      await adapter.writeDnssec?.(zoneOf(domain), signed)
      return (await adapter.readDnssec?.(zoneOf(domain))) ?? before
    })
    .catch(throwProviderFailure)
  await context.db.transaction().execute((trx) =>
    recordAudit(trx, caller, {
      action: 'domain.dnssec_changed',
      target: { type: 'domain', id: domain.id, name: domain.name },
      ...differences(before, after),
    }),
  )
  return toWire(after)
}

async function open(context: DomainContext, domain: DomainRow, need: 'read' | 'write') {
  const connection = await connectionOf(context, domain)
  const { name, capabilities } = connection.provider
  if (capabilities.dnssec === 'none') throw new AppError(404, 'not_found', `${name} does not show DNSSEC`)
  if (need === 'write' && capabilities.dnssec !== 'write') {
    throw conflict(`${name} does not support DNSSEC signing through its API`, {
      reason: 'signing_unsupported',
      params: { provider: name },
    })
  }
  const dnssec = await connection
    .call(async (adapter) => adapter.readDnssec?.(zoneOf(domain)))
    .catch(throwProviderFailure)
  if (!dnssec) throw new Error(`${name} declares DNSSEC but its adapter can't read it`)
  return { connection, dnssec }
}

const toWire = ({ signed, ds }: Dnssec) => ({
  signed,
  ds: ds.map((value) => ({ value, data: typeOf('DS').toData(value) })),
})
