import { parseHostName } from '../../../dns/names/names.ts'
import { NAME_SERVER } from '../../../dns/types/hosts/targets.ts'
import { toMailAddress, toMailboxName } from '../../../dns/names/mailbox.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, invalid, type FieldError } from '../../../plugins/http/errors.ts'
import { requireMatch } from '../../../plugins/http/if-match.ts'
import { differences, recordAudit } from '../../audit/service.ts'
import type { Soa } from '../../providers/contract.ts'
import { throwProviderFailure } from '../../providers/errors.ts'
import { requireDomain, type DomainRow } from '../access/access.ts'
import type { DomainContext } from '../context.ts'
import { changingZone, openSetting, type ZoneContext } from './zone-settings.ts'
import { storeSoa, storeSoaOf } from '../queries.ts'
import { connectionOf, zoneOf } from '../registration/zones.ts'

/** SOA values that users may set; names and the email address as users write them, times in seconds. */
interface SoaInput {
  primary?: string
  mail?: string
  refresh?: number
  retry?: number
  expire?: number
  minimum?: number
  ttl?: number
}

/** Reads the SOA from the provider. Rejects with 404 if it does not show it. */
export async function readSoa(context: DomainContext, caller: Caller, id: string) {
  const domain = await requireDomain(context.db, caller, id, 'read')
  return toWire((await open(context, domain, 'read')).value)
}

/** Reads the SOA from the provider again, and stores it. Returns null if the provider does not show it. */
export async function refreshSoa(context: DomainContext, domain: DomainRow): Promise<Soa | null> {
  const connection = await connectionOf(context, domain)
  if (connection.provider.capabilities.soa === 'none') return null
  const soa = await connection.call(async (adapter) => (await adapter.readSoa?.(zoneOf(domain))) ?? null)
  if (soa) await storeSoaOf(context.db, domain, soa)
  return soa
}

/** Changes SOA values at the provider; omitted values stay unchanged. */
export async function changeSoa(context: ZoneContext, caller: Caller, id: string, input: SoaInput) {
  const domain = await requireDomain(context.db, caller, id, 'writeAll')
  return changingZone(context, domain, () => change(context, caller, domain, input))
}

async function change(context: DomainContext, caller: Caller, domain: DomainRow, input: SoaInput) {
  const { connection, value: before } = await open(context, domain, 'write')
  await requireMatch(caller, () => toWire(before))
  const wanted = { ...before, ...checked(input) }
  const after = await connection
    .change(async (adapter) => {
      await adapter.writeSoa?.(zoneOf(domain), wanted)
      return (await adapter.readSoa?.(zoneOf(domain))) ?? wanted
    })
    .catch(throwProviderFailure)
  await context.db.transaction().execute(async (trx) => {
    await storeSoa(trx, domain.id, after)
    await recordAudit(trx, caller, {
      action: 'domain.soa_changed',
      target: { type: 'domain', id: domain.id, name: domain.name },
      ...differences(toWire(before), toWire(after)),
    })
  })
  return toWire(after)
}

const open = (context: DomainContext, domain: DomainRow, need: 'read' | 'write') =>
  openSetting(context, domain, need, {
    capability: 'soa',
    what: 'the SOA',
    read: (adapter, zone) => adapter.readSoa?.(zone),
    fixed: (provider) =>
      conflict(`${provider} does not support changing the SOA`, {
        reason: 'soa_unsupported',
        params: { provider },
      }),
  })

function checked({ primary, mail, ...numbers }: SoaInput): Partial<Soa> {
  const server = primary === undefined ? null : parseHostName(primary, NAME_SERVER)
  const mailbox = mail === undefined ? null : toMailboxName(mail)
  const errors: FieldError[] = []
  if (server && !server.ok) errors.push({ path: '/primary', code: server.code, message: server.reason })
  if (mailbox && !mailbox.ok) errors.push({ path: '/mail', code: mailbox.code, message: mailbox.reason })
  if (errors.length > 0) throw invalid(...errors)
  return {
    ...numbers,
    ...(server?.ok && { primary: server.name }),
    ...(mailbox?.ok && { mailbox: mailbox.name }),
  }
}

const toWire = ({ mailbox, ...soa }: Soa) => ({ ...soa, mail: toMailAddress(mailbox) })
