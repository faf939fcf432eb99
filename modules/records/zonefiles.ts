import { memberKey } from '../../dns/rrset.ts'
import type { Caller } from '../../plugins/access/index.ts'
import { AppError } from '../../plugins/errors.ts'
import { mayChange, recordScopeOf, requireDomain, type RecordScope } from '../domains/access.ts'
import type { OperationRun } from '../operations/contract.ts'
import type { RecordContext } from './apply.ts'
import type { ChangeRequest } from './change.ts'
import { toState, type RecordRow } from './mapper.ts'
import { applyVerbatim, preview } from './plans.ts'
import { allRecords } from './queries.ts'
import { listUnmanaged } from './unmanaged-queries.ts'
import { formatZoneFile } from './zonefile-writer.ts'
import { parseZoneFile, type ZoneFile } from './zonefile.ts'

/** The records of a domain as a master file (RFC 1035 section 5). */
export async function exportZoneFile({ db }: RecordContext, caller: Caller, domainId: string) {
  const domain = await requireDomain(db, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  const records = (await allRecords(db, domainId, scope)).map(
    ({ name, type, value, ttl, enabled, routing }) => ({
      name,
      recordType: type,
      value,
      ttl,
      enabled,
      isRouted: routing !== null,
    }),
  )
  const text = formatZoneFile({
    zone: domain.name,
    defaultTtl: domain.default_ttl,
    records: records.filter(({ enabled, isRouted }) => enabled && !isRouted),
    disabled: records.filter(({ enabled, isRouted }) => !enabled && !isRouted),
    routed: records.filter(({ isRouted }) => isRouted),
    unmanaged: await listUnmanaged(db, domainId, scope),
    generatedAt: new Date(),
  })
  return { name: domain.name, text }
}

/**
 * Plans, and unless `dryRun` or `keep` applies, what a master file asks for. With an error in the file nothing happens. Much of
 * it goes on as an operation, whose work this is again, with its `run`.
 */
export async function importZoneFile(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  input: { zonefile: string; mode: 'merge' | 'replace'; dryRun: boolean; keep?: boolean },
  run?: OperationRun,
) {
  const { zonefile, mode, keep = false } = input
  const dryRun = input.dryRun || keep
  const domain = await requireDomain(context.db, caller, domainId, dryRun ? 'read' : 'write')
  const file = await parseZoneFile(zonefile, domain.name)
  if (file.errors.length > 0) throw faultyFile(file)
  const scope = recordScopeOf(domain, caller)
  const requests = toRequests(file, await allRecords(context.db, domainId, scope), mode, scope)
  if (dryRun) {
    const plan = await preview(context, caller, domainId, { source: 'import', requests }, keep)
    return { plan, skipped: file.skipped }
  }
  const done = await applyVerbatim(context, { kind: 'import', caller, domain, input, run }, requests)
  return 'operation' in done ? done : { plan: done, skipped: file.skipped }
}

/**
 * What the file has and the domain has not, other TTLs, and with `replace` what the domain has too much, as
 * far as it is the caller's to delete. A file says what is served: a disabled record that it has is enabled, one
 * that it has not stays. Of sets that are answered by line or weight a file can't speak. `rows`: those that they see.
 */
function toRequests(
  { records }: ZoneFile,
  rows: RecordRow[],
  mode: 'merge' | 'replace',
  scope: RecordScope,
): ChangeRequest[] {
  const here = new Map(rows.map((row) => [memberKey(row), row]))
  const requests: ChangeRequest[] = []
  const seen = new Set<string>()
  for (const { name, recordType, value, ttl } of records) {
    const identity = memberKey({ name, type: recordType, value })
    if (seen.has(identity)) continue
    seen.add(identity)
    const row = here.get(identity)
    if (!row) requests.push({ action: 'create', recordType, name, value, ...(ttl !== null && { ttl }) })
    else if (!row.enabled || (ttl !== null && ttl !== row.ttl)) {
      requests.push({ action: 'update', recordId: row.id, enabled: true, ...(ttl !== null && { ttl }) })
    }
  }
  if (mode === 'merge') return requests
  // A file without NS at the apex is no whole zone, and says nothing about them.
  const hasApexNs = records.some(({ name, recordType }) => recordType === 'NS' && name === '@')
  const surplus = [...here].filter(
    ([identity, row]) =>
      !seen.has(identity) &&
      row.enabled &&
      row.routing === null &&
      (hasApexNs || row.type !== 'NS' || row.name !== '@') &&
      mayChange(scope, toState(row)),
  )
  return [...requests, ...surplus.map(([, row]) => ({ action: 'delete' as const, recordId: row.id }))]
}

const faultyFile = ({ errors }: ZoneFile) => {
  const shown = errors.slice(0, 20).map(({ line, message }) => ({
    path: '/zonefile',
    code: 'line',
    params: { line },
    message: `line ${line}: ${message}`,
  }))
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
