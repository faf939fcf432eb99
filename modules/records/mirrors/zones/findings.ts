import type { MirrorFinding } from '../../../../db/tables/index.ts'
import { memberKey } from '../../../../dns/names/rrset.ts'
import type { StepOutcome } from '../../apply/journal/journal-queries.ts'
import { adapt, type CopyTarget } from '../../move/adapted.ts'
import { describe, recordParams, type RecordContent, type RecordState, type Step } from '../../plan/change.ts'
import type { Plan, Refusal } from '../../plan/plan.ts'

/** More are counted, not stored. */
const MAX_FINDINGS = 200

/** Returns what the provider can't hold as the domain has it. `records` as given to `planCopy`. */
export function findingsOf(records: RecordState[], host: CopyTarget, { refusals }: Plan): MirrorFinding[] {
  return [...refusals.map(refused), ...adapted(records, host)]
}

/** Returns the findings about steps that the provider refused. */
export const refusedSteps = (steps: readonly Step[], outcomes: readonly StepOutcome[]): MirrorFinding[] =>
  steps.flatMap(({ before, after }, i) => {
    const [outcome, content] = [outcomes[i], after ?? before]
    if (outcome?.outcome !== 'failed' || content === null) return []
    const { name, type, value } = content
    const params = recordParams(content)
    return [{ name, type, value, code: outcome.code, params, message: outcome.error, missing: true }]
  })

function refused({ code, errors, params, detail, record }: Refusal): MirrorFinding {
  const [first] = errors
  return {
    name: record?.name ?? String(params['name'] ?? '@'),
    type: record?.type ?? String(params['recordType'] ?? ''),
    value: record?.value ?? String(params['value'] ?? ''),
    code: first?.code ?? code,
    params: first?.params ?? params,
    message: detail,
    missing: true,
  }
}

/** Records that the provider holds with another TTL, without a proxy, or without settings of the first provider. */
function adapted(records: RecordState[], host: CopyTarget): MirrorFinding[] {
  return adapt(records, host).wanted.flatMap(({ record, content }): MirrorFinding[] => {
    const { name, type, value } = record
    const about = { name, type, value, missing: false }
    const from = record.ttl === null ? 'chosen by the provider' : record.ttl
    const found: MirrorFinding[] = []
    if (record.ttl !== content.ttl)
      found.push({
        ...about,
        code: 'ttl_brought',
        params: { ttl: record.ttl, to: content.ttl, count: 1 },
        message: `${describe(record)} has the TTL ${content.ttl ?? 'that the provider chooses'} there instead of ${from}`,
      })
    if (record.proxied && !content.proxied)
      found.push({
        ...about,
        code: 'proxy_left_off',
        params: recordParams(record),
        message: `${describe(record)} is served without a proxy there`,
      })
    if (record.extra !== null && content.extra === null)
      found.push({
        ...about,
        code: 'settings_left_off',
        params: recordParams(record),
        message: `${describe(record)} has settings that ${host.provider.name} does not support`,
      })
    return found
  })
}

/** The columns of a mirror that hold its findings. */
export const findingColumns = (findings: readonly MirrorFinding[], more = 0) => ({
  findings: JSON.stringify(findings.slice(0, MAX_FINDINGS)),
  more_findings: more + Math.max(0, findings.length - MAX_FINDINGS),
  lacks: findings.some(({ missing }) => missing),
})

/** Replaces the findings about these records; `more`: findings that are not stored, of which some may lack records. */
export function updatedFindings(
  {
    findings,
    more_findings: more,
    lacks,
  }: { findings: MirrorFinding[]; more_findings: number; lacks: boolean },
  concerned: readonly RecordContent[],
  added: readonly MirrorFinding[],
) {
  const gone = new Set(concerned.map(memberKey))
  const kept = findings.filter(
    ({ name, type, value }) => !gone.has(memberKey({ name, type, value, routing: null })),
  )
  const columns = findingColumns([...added, ...kept], more)
  return { ...columns, lacks: columns.lacks || (lacks && more > 0) }
}
