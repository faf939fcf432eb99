import type { ChangeBody } from '../records/service.ts'
import { explanationOf, SEVERITIES, type Severity } from './catalogue.ts'
import type { FindingRow } from './queries.ts'

export const toFinding = (row: FindingRow) => ({
  id: row.key,
  domainId: row.domain_id,
  domainName: row.domain_name,
  code: row.code,
  severity: row.severity,
  name: row.name,
  type: row.type,
  detail: row.detail,
  params: row.params,
  explanation: explanationOf(row.code),
  fix: row.fix as ChangeBody[] | null,
  since: row.since.toISOString(),
})

/** How many findings there are of each severity. */
export function toCounts(rows: readonly { severity: Severity; count: number }[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const severity of SEVERITIES) {
    counts[severity] = rows.find((row) => row.severity === severity)?.count ?? 0
  }
  return counts
}
