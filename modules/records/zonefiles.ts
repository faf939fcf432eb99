import type { Caller } from '../../plugins/access/index.ts'
import { AppError } from '../../plugins/errors.ts'
import { mayChange, recordScopeOf, requireDomain, type RecordScope } from '../domains/access.ts'
import { previewChanges, type RecordContext } from './apply.ts'
import type { ChangeRequest } from './change.ts'
import { toState, type RecordRow } from './mapper.ts'
import { toPlan } from './plan-mapper.ts'
import { applyRequests } from './plans.ts'
import { allRecords } from './queries.ts'
import { formatZoneFile, parseZoneFile, type ZoneFile } from './zonefile.ts'

/** The records of a domain as a master file (RFC 1035 section 5). */
export async function exportZoneFile({ db }: RecordContext, caller: Caller, domainId: string) {
  const domain = await requireDomain(db, caller, domainId, 'read')
  const records = (await allRecords(db, domainId, recordScopeOf(domain, caller))).map(toState)
  const text = formatZoneFile({
    zone: domain.name,
    defaultTtl: domain.default_ttl,
    records: records.map(({ name, type, value, ttl }) => ({ name, recordType: type, value, ttl })),
    generatedAt: new Date(),
  })
  return { name: domain.name, text }
}

/** Plans, and unless `dryRun` applies, what a master file asks for. With an error in the file nothing happens. */
export async function importZoneFile(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { zonefile, mode, dryRun }: { zonefile: string; mode: 'merge' | 'replace'; dryRun: boolean },
) {
  const domain = await requireDomain(context.db, caller, domainId, dryRun ? 'read' : 'write')
  const file = parseZoneFile(zonefile, domain.name)
  if (file.errors.length > 0) throw faultyFile(file)
  const scope = recordScopeOf(domain, caller)
  const requests = toRequests(file, await allRecords(context.db, domainId, scope), mode, scope)
  const plan = dryRun
    ? toPlan(await previewChanges(context, caller, domainId, requests), null)
    : await applyRequests(context, caller, domainId, requests, 'import')
  return { plan, skipped: file.skipped }
}

/**
 * What the file has and the domain has not, other TTLs, and with `replace` what the domain has too much, as
 * far as it is the caller's to delete. `rows`: those that they see.
 */
function toRequests(
  { records }: ZoneFile,
  rows: RecordRow[],
  mode: 'merge' | 'replace',
  scope: RecordScope,
): ChangeRequest[] {
  const key = (type: string, name: string, value: string) => `${type} ${name} ${value}`
  const here = new Map(rows.map((row) => [key(row.type, row.name, row.value), row]))
  const requests: ChangeRequest[] = []
  const seen = new Set<string>()
  for (const { name, recordType, value, ttl } of records) {
    const identity = key(recordType, name, value)
    // The apex NS are the provider's own, and every exported zone has them.
    if (seen.has(identity) || (recordType === 'NS' && name === '@')) continue
    seen.add(identity)
    const row = here.get(identity)
    if (!row) requests.push({ action: 'create', recordType, name, value, ...(ttl !== null && { ttl }) })
    else if (ttl !== null && ttl !== row.ttl) requests.push({ action: 'update', recordId: row.id, ttl })
  }
  if (mode === 'merge') return requests
  const surplus = [...here].filter(
    ([identity, row]) =>
      !seen.has(identity) && !(row.type === 'NS' && row.name === '@') && mayChange(scope, toState(row)),
  )
  return [...requests, ...surplus.map(([, row]) => ({ action: 'delete' as const, recordId: row.id }))]
}

const faultyFile = ({ errors }: ZoneFile) => {
  const shown = errors
    .slice(0, 20)
    .map(({ line, message }) => ({ path: '/zonefile', message: `line ${line}: ${message}` }))
  return new AppError(
    400,
    'validation_failed',
    shown
      .map(({ message }) => message)
      .slice(0, 3)
      .join('; '),
    {
      extra: { errors: shown },
    },
  )
}
