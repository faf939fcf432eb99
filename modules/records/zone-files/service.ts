import { memberKey } from '../../../dns/names/rrset.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, invalid } from '../../../plugins/http/errors.ts'
import {
  mayChange,
  recordScopeOf,
  requireDomain,
  seesAllRecords,
  type RecordScope,
} from '../../domains/access/access.ts'
import { seenVersion } from '../../domains/service.ts'
import { recordAudit } from '../../audit/service.ts'
import type { OperationRun } from '../../operations/contract.ts'
import { adoptZone } from '../sync/adoption.ts'
import type { Later } from '../../../schemas/records/later.ts'
import type { RecordContext } from '../context.ts'
import type { RequestedChange } from '../plan/change.ts'
import { requireVersion } from '../apply/apply.ts'
import { toState, type RecordRow } from '../list/mapper.ts'
import { repeatedPlan, showPlan, submitChanges } from '../apply/submit.ts'
import { allRecords } from '../list/queries.ts'
import { listUnmanaged } from '../sync/unmanaged-queries.ts'
import { formatZoneFile } from './zonefile-writer.ts'
import { parseZoneFile, type ZoneFile } from './zonefile.ts'

/**
 * Returns the records of a domain as a zone file, with the version of the records in it or an older one. `at` goes into
 * the comment at the top; without it the same records are always the same text.
 */
export async function exportZoneFile(
  { db }: RecordContext,
  caller: Caller,
  domainId: string,
  { at }: { at?: Date } = {},
) {
  const domain = await requireDomain(db, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  const version = await seenVersion(db, domain, scope)
  const records = (await allRecords(db, domainId, scope)).map(
    ({ name, type, value, ttl, proxied, enabled, routing }) => ({
      name,
      recordType: type,
      value,
      ttl,
      proxied,
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
    soa: seesAllRecords(scope) ? domain.soa : null,
    unmanaged: await listUnmanaged(db, domainId, scope),
    ...(at && { generatedAt: at }),
  })
  await recordAudit(db, caller, {
    action: 'domain.exported',
    target: { type: 'domain', id: domainId, name: domain.name },
    after: { format: 'bind', records: records.length },
  })
  return { name: domain.name, text, version }
}

/** A zone file to import. */
export interface ZoneFileInput extends Later {
  zonefile: string
  mode: 'merge' | 'replace'
  dryRun: boolean
  keep?: boolean
  /** With `dryRun`: returns the parsed records. */
  listRecords?: boolean
  /** The file is the whole zone: a truncated or missing file must not empty it, not even through a kept plan. */
  isZone?: boolean
  /** Versions of the domain's records that the file is meant for; 412 for any other. */
  ifVersions?: number[]
}

/**
 * Imports a zone file, or only plans it with `dryRun` or `keep`. A file with errors is rejected as a whole. A large import
 * continues as an operation, which calls this again with its `run`.
 */
export async function importZoneFile(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  input: ZoneFileInput,
  run?: OperationRun,
) {
  const { zonefile, mode, keep = false, ifVersions, isZone = false, applyAt, confirmWithin } = input
  const dryRun = input.dryRun || keep
  const domain = await requireDomain(context.db, caller, domainId, dryRun ? 'read' : 'write')
  const scope = recordScopeOf(domain, caller)
  await requireVersion(context.db, domain, scope, ifVersions)
  const file = await parseZoneFile(zonefile, domain.name)
  if (file.errors.length > 0) throw faultyFile(file)
  // The file is the whole zone: records that only the provider holds are deleted as well.
  if (mode === 'replace') await adoptZone(context, domain)
  const rows = await allRecords(context.db, domainId, scope)
  const requests = toRequests(file, rows, { mode, scope, usualTtl: domain.default_ttl })
  const intent = {
    kind: 'requests',
    source: 'import',
    verbatim: true,
    requests,
    ...(mode === 'replace' && { exact: 'zone' as const }),
  } as const
  const isWipe = file.records.length === 0 && requests.length > 0
  if (dryRun) {
    // A program could apply the kept plan without looking at it.
    const isKept = keep && !(isWipe && isZone)
    const plan = await showPlan(context, caller, domainId, intent, isKept)
    return { plan, skipped: file.skipped, ...(input.listRecords && { records: file.records }) }
  }
  if (isWipe) throw emptyFile()
  const done =
    (await repeatedPlan(context, caller, domainId)) ??
    (await submitChanges(context, caller, domainId, intent, {
      input,
      run,
      ifVersions,
      applyAt,
      confirmWithin,
    }))
  return 'operation' in done ? done : { plan: done, skipped: file.skipped }
}

/**
 * Returns the changes that bring the domain in line with the file: new records, other TTLs, and with `replace` deletes of
 * records that the caller may change. Disabled records that the file contains are enabled; others stay. RRsets with routing
 * are left alone, because a file can't express them. `rows`: the records that the caller sees.
 */
function toRequests(
  { records }: ZoneFile,
  rows: RecordRow[],
  { mode, scope, usualTtl }: { mode: ZoneFileInput['mode']; scope: RecordScope; usualTtl: number },
): RequestedChange[] {
  const here = new Map(rows.map((row) => [memberKey(row), row]))
  const requests: RequestedChange[] = []
  const seen = new Set<string>()
  for (const { name, recordType, value, ttl, proxied } of records) {
    const identity = memberKey({ name, type: recordType, value })
    if (seen.has(identity)) continue
    seen.add(identity)
    const row = here.get(identity)
    // A master file shows the default TTL where the provider chooses.
    const isOther = ttl !== null && ttl !== (row?.ttl ?? usualTtl)
    const isMoved = proxied !== undefined && proxied !== row?.proxied
    if (!row) {
      const fields = { recordType, name, value, ...(ttl !== null && { ttl }), ...(proxied && { proxied }) }
      requests.push({ action: 'create', ...fields })
    } else if (!row.enabled || isOther || isMoved) {
      const fields = { enabled: true, ...(isOther && { ttl }), ...(isMoved && { proxied }) }
      requests.push({ action: 'update', recordId: row.id, ...fields })
    }
  }
  if (mode === 'merge') return requests
  // Without NS at the apex in the file, those of the zone stay.
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

const emptyFile = () =>
  invalid({
    path: '/zonefile',
    code: 'empty',
    message:
      'has no records, so all records of the domain would be deleted; delete them directly if you mean to',
  })

const faultyFile = ({ errors }: ZoneFile) => {
  const shown = errors.slice(0, 20).map(({ line, message, rule, params }) => ({
    path: '/zonefile',
    code: 'line',
    params: { ...params, line, rule },
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
