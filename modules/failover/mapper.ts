import type { StoredProbe } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import { isSufficient, mayChange, recordScopeOf } from '../domains/access/access.ts'
import { awaitsApproval } from './approval.ts'
import { healthBy, type Health } from './deciding/decision.ts'
import type { SeenMonitor, ServedRow, VerdictRow } from './queries.ts'
import type { FailoverMonitor } from './answer-schemas.ts'
import { targetsOf } from './targets.ts'
import type { FailoverTimes } from './times.ts'

export interface Findings {
  verdicts: readonly VerdictRow[]
  served: readonly ServedRow[]
  living: number
}

/** Whether the caller may write what the monitor switches. */
export const mayWrite = (row: SeenMonitor, principal: Principal): boolean =>
  isSufficient(row, principal, 'write') && mayChange(recordScopeOf(row, principal), row)

/** Maps a monitor to its answer, with up to `history` checks of each alternative. */
export function toMonitor(
  row: SeenMonitor,
  { verdicts, served, living }: Findings,
  principal: Principal,
  { second, history }: FailoverTimes & { history: number },
): FailoverMonitor {
  const alternatives = row.alternatives.map((alternative, at) => {
    const found = verdicts.filter(({ alternative: of }) => of === at)
    const count = (...states: VerdictRow['state'][]) =>
      found.filter(({ state }) => states.includes(state)).length
    const up = count('up')
    const answering = count('answering')
    const down = count('down')
    const last = found.toSorted((a, b) => b.checked_at.getTime() - a.checked_at.getTime())[0]
    return {
      name: alternative.name,
      values: alternative.values,
      targets: targetsOf(alternative),
      isActive: at === row.active,
      health: healthBy({ up, answering, down }, living),
      instancesUp: up + answering,
      instancesDown: down,
      latencyMs: last?.latency_ms ?? null,
      reason: last?.reason ?? null,
      detail: last?.detail ?? null,
      certificateExpiresAt: last?.certificate_expires?.toISOString() ?? null,
      history: (last?.history ?? []).slice(-history).map(({ at: time, ok, ms }) => ({
        at: time,
        ok,
        latencyMs: ms,
      })),
    }
  })
  const isAwaiting = awaitsApproval(row)
  const isWriter = mayWrite(row, principal)
  const checked = verdicts.map(({ checked_at: at }) => at.getTime())
  const checkedAt = checked.length === 0 ? null : Math.max(...checked)
  const ttl = served[0]?.ttl ?? null
  return {
    id: row.id,
    domainId: row.domain_id,
    domainName: row.domain_name,
    name: row.name,
    recordType: row.type,
    state: stateOf(row, isAwaiting, alternatives[row.active]?.health ?? 'undecided'),
    active: row.alternatives[row.active]?.name ?? '',
    isSwitching: !row.settled,
    switchedAt: row.switched_at?.toISOString() ?? null,
    switchedBy: row.switched_by,
    changeId: row.change_id,
    paused: row.paused,
    pausedAt: row.paused === null ? null : (row.paused_at?.toISOString() ?? null),
    problem: row.problem,
    isMaintenance: row.is_maintenance,
    revision: row.revision,
    awaitsApproval: isAwaiting,
    canApprove: isAwaiting && isWriter && row.author_id !== principal.userId,
    canWrite: isWriter,
    author: { id: row.author_id, name: row.author_name },
    approver:
      row.approver_name === null || row.approved_revision !== row.revision
        ? null
        : { id: row.approver_id, name: row.approver_name },
    alternatives,
    check: toCheck(row.probe),
    intervalSeconds: row.interval_seconds,
    failures: row.failures,
    successes: row.successes,
    holdDownSeconds: row.hold_down_seconds,
    back: row.back,
    maintenance: row.maintenance,
    instances: living,
    checkedAt: checkedAt === null ? null : new Date(checkedAt).toISOString(),
    nextCheckAt:
      checkedAt === null ? null : new Date(checkedAt + row.interval_seconds * second * 1000).toISOString(),
    ttl,
    warnings: ttl !== null && ttl > row.interval_seconds ? [ttlWarning(ttl)] : [],
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

const ttlWarning = (ttl: number) => ({
  code: 'failover_ttl',
  message: `Resolvers keep the old values for up to ${ttl} s (TTL), which is longer than the interval`,
  params: { ttl },
})

function stateOf(row: SeenMonitor, isAwaiting: boolean, health: Health): FailoverMonitor['state'] {
  if (row.paused !== null) return 'paused'
  if (isAwaiting) return 'unapproved'
  if (health === 'down') return 'down'
  if (row.is_maintenance) return 'maintenance'
  if (row.active > 0) return 'failed_over'
  return health === 'undecided' ? 'undecided' : 'preferred'
}

const NOTHING = {
  tls: false,
  host: null,
  path: null,
  status: [],
  contains: null,
  verifyCertificate: false,
  certificateDays: null,
  query: null,
  queryType: null,
}

const toCheck = (probe: StoredProbe): FailoverMonitor['check'] => ({ ...NOTHING, ...probe })
