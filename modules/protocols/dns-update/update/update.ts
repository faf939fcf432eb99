import { RCODE, type Message } from '../../../../dns/wire/message.ts'
import { AppError } from '../../../../plugins/http/errors.ts'
import {
  mayChange,
  recordScopeOf,
  requireDomain,
  seesName,
  seesRecord,
  type GrantedDomain,
  type RecordScope,
} from '../../../domains/access/access.ts'
import { nearestTtl } from '../../../domains/service.ts'
import { UnknownSiblings } from '../../../providers/contract.ts'
import { adoptSets, applyChanges, findHidden, recordsOfNames, type SetKey } from '../../../records/service.ts'
import { requirePermission } from '../authentication.ts'
import type { DnsContext, Signer } from '../context.ts'
import { Refused } from '../refusal.ts'
import { zoneNamed } from '../zones.ts'
import { decide } from './decision.ts'
import { readUpdate, type Prerequisite, type Update, type UpdateRequest } from './sections.ts'

/** Retries after others changed the same RRsets at the provider. */
const MAX_TRIES = 3

/** Clients wait longer than this for an answer over TCP, and repeat the message over UDP. */
const MAX_WAIT_MS = 15_000

/**
 * Does an update (RFC 2136): all of it, as one change, or nothing. Resolves after the provider has it, also if nothing had
 * to be done. Rejects with Refused.
 */
export async function update(context: DnsContext, signer: Signer, message: Message): Promise<void> {
  const request = readUpdate(message)
  requirePermission(signer, 'records:write')
  const { zone, updates } = request
  const { id } = await zoneNamed(context.db, signer, zone, (domain) =>
    isAllowed(recordScopeOf(domain, signer), request),
  )
  try {
    const domain = await requireDomain(context.db, signer, id, 'write')
    await refuseHidden(context, domain, updates)
    await apply(context, signer, domain, request)
  } catch (error) {
    throw error instanceof AppError ? toRefused(error) : error
  }
}

/** Whether the key may do each update, and may know what the prerequisites ask. A key without permission learns nothing else. */
function isAllowed(scope: RecordScope, { prerequisites, updates }: UpdateRequest): boolean {
  const maySee = (one: Prerequisite) =>
    'type' in one && one.type !== 'SOA'
      ? seesRecord(scope, { ...one, type: one.type })
      : seesName(scope, one.name)
  const mayDo = (one: Update) =>
    one.kind === 'delete_name' ? seesName(scope, one.name) : mayChange(scope, one)
  return prerequisites.every(maySee) && updates.every(mayDo)
}

/** Throws Refused if an added record would not be served. */
async function refuseHidden({ db }: DnsContext, { id }: GrantedDomain, updates: readonly Update[]) {
  const added = updates.flatMap((one) => (one.kind === 'add' ? [{ ...one, value: '' }] : []))
  const [hiding] = added.length === 0 ? [] : (await findHidden(db, id, added)).values()
  if (hiding) throw new Refused(RCODE.REFUSED, `${hiding.code}: the record would not be served`)
}

async function apply(
  context: DnsContext,
  signer: Signer,
  domain: GrantedDomain,
  request: UpdateRequest,
): Promise<void> {
  const { prerequisites, updates } = request
  const scope = recordScopeOf(domain, signer)
  const names = [...new Set([...prerequisites, ...updates].map(({ name }) => name))]
  const ttlFor = ttlsOf(context, domain)
  for (let tries = 1; ; tries++) {
    const { known, exact } = await setsOf(context, domain, names, request)
    // What only the provider has is stored first: prerequisites compare what DNS serves, and deletions leave nothing.
    await adoptSets(context, domain, known)
    const applied = await applyChanges(
      context,
      signer,
      domain.id,
      {
        kind: 'decided',
        source: 'apply',
        together: true,
        names,
        exact,
        decide: (rows) => decide(request, rows, { name: domain.name, scope, ttlFor }),
      },
      { maxWaitMs: MAX_WAIT_MS },
    )
    if (applied.failure === null) return
    if (applied.failure instanceof UnknownSiblings && tries < MAX_TRIES) continue
    throw new Refused(RCODE.SERVFAIL, applied.failure.message, { cause: applied.failure })
  }
}

/** The RRsets that prerequisites and deletions are about, and those that are to be gone as a whole. */
async function setsOf(
  { db }: DnsContext,
  domain: GrantedDomain,
  names: readonly string[],
  { prerequisites, updates }: UpdateRequest,
): Promise<{ known: SetKey[]; exact: SetKey[] }> {
  const rows = await recordsOfNames(db, domain.id, names)
  const ofName = (name: string) =>
    rows.filter((row) => row.name === name && row.routing === null).map(({ type }) => ({ name, type }))
  const isLeft = ({ name, type }: SetKey) => name === '@' && type === 'NS'
  const exact = updates
    .flatMap((one): SetKey[] => {
      if (one.kind === 'delete_name') return ofName(one.name)
      return one.kind === 'delete_rrset' ? [{ name: one.name, type: one.type }] : []
    })
    .filter((key) => !isLeft(key) && !updates.some((one) => adds(one, key)))
  const asked = prerequisites.flatMap((one): SetKey[] => {
    if (!('type' in one)) return ofName(one.name)
    return one.type === 'SOA' ? [] : [{ name: one.name, type: one.type }]
  })
  const deleted = updates.flatMap((one): SetKey[] =>
    one.kind === 'delete_name'
      ? ofName(one.name)
      : one.kind === 'add'
        ? []
        : [{ name: one.name, type: one.type }],
  )
  return { known: [...asked, ...deleted], exact }
}

const adds = (one: Update, { name, type }: SetKey) =>
  one.kind === 'add' && one.name === name && one.type === type

/** Returns the TTL that the provider takes for one; none if its zones have one for all, or its minimum depends on the plan. */
function ttlsOf({ providerRegistry }: DnsContext, { provider_id: id }: GrantedDomain) {
  const { capabilities } = providerRegistry.byId(id) ?? {}
  const isFixed = !capabilities || capabilities.ttlOf === 'zone' || capabilities.ttlByPlan
  return (ttl: number) => (isFixed ? undefined : nearestTtl(ttl, capabilities))
}

/** REFUSED for what will be refused again, SERVFAIL for what may succeed later or whose outcome isn't known. */
function toRefused(error: AppError): Refused {
  const isPassing = error.status >= 500 || error.status === 429 || error.extra['reason'] === 'names_busy'
  return new Refused(isPassing ? RCODE.SERVFAIL : RCODE.REFUSED, error.message, { cause: error })
}
