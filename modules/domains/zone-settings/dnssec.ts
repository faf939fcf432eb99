import { typeOf } from '../../../dns/types/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict } from '../../../plugins/http/errors.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import { differences, recordAudit } from '../../audit/service.ts'
import type { Dnssec } from '../../providers/contract.ts'
import { throwProviderFailure } from '../../providers/errors.ts'
import { requireDomain, type DomainRow } from '../access/access.ts'
import type { DomainContext } from '../context.ts'
import { changingZone, openSetting, type ZoneContext } from './zone-settings.ts'
import { zoneOf } from '../registration/zones.ts'

/** Reads the DNSSEC status from the provider. Rejects with 404 if it does not show it. */
export async function readDnssec(context: DomainContext, caller: Caller, id: string) {
  const domain = await requireDomain(context.db, caller, id, 'read')
  return toWire((await open(context, domain, 'read')).value)
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
  const { connection, value: before } = await open(context, domain, 'write')
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

const open = (context: DomainContext, domain: DomainRow, need: 'read' | 'write') =>
  openSetting(context, domain, need, {
    capability: 'dnssec',
    what: 'DNSSEC',
    read: (adapter, zone) => adapter.readDnssec?.(zone),
    fixed: (provider) =>
      conflict(`${provider} does not support DNSSEC signing through its API`, {
        reason: 'signing_unsupported',
        params: { provider },
      }),
  })

const toWire = ({ signed, ds }: Dnssec) => ({
  signed,
  ds: ds.map((value) => ({ value, data: typeOf('DS').toData(value) })),
})
