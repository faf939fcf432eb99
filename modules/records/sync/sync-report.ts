import { AppError } from '../../../plugins/http/errors.ts'
import { contentOf, type RecordContent } from '../plan/change.ts'
import { toContent } from '../plan/plan-mapper.ts'
import type { Differences } from './sync-differences.ts'
import type { ProviderRecords } from './sync-provider.ts'

/** What a sync found and did. */
export interface SyncReport {
  /** Records at the provider that were compared. */
  synced: number
  created: number
  updated: number
  deleted: number
  unchanged: number
  /** Records at the provider of types that are not managed here. */
  skipped: number
  dryRun: boolean
  difference: SyncDifference
}

/** A report as clients see it. */
export const toSyncAnswer = ({ difference: { created, updated, deleted }, ...counts }: SyncReport) => ({
  ...counts,
  difference: {
    created: created.map(toContent),
    updated: updated.map(({ before, after }) => ({ before: toContent(before), after: toContent(after) })),
    deleted: deleted.map(toContent),
  },
})

/** The first of the differences, by kind. */
interface SyncDifference {
  created: RecordContent[]
  updated: { before: RecordContent; after: RecordContent }[]
  deleted: RecordContent[]
}

/** Differences that an answer shows; the counts are of all. */
const SHOWN = 100

/** Of what was compared; `there`: all that the provider holds. */
export function toReport(
  { created, updated, deleted, unchanged }: Differences,
  there: ProviderRecords,
  dryRun: boolean,
) {
  const report: SyncReport = {
    synced: there.total,
    created: created.length,
    updated: updated.length,
    deleted: deleted.length,
    unchanged,
    skipped: there.unmanaged.length,
    dryRun,
    difference: {
      created: created.slice(0, SHOWN).map(({ content }) => content),
      updated: updated.slice(0, SHOWN).map(({ before, found }) => ({ before, after: found.content })),
      deleted: deleted.slice(0, SHOWN).map(contentOf),
    },
  }
  return report
}

/** So much is gone at the provider that a person must say so. */
export class MuchIsGone extends AppError {
  readonly differences: Differences
  /** Records that would be deleted, of those that are known. */
  readonly deleted: number
  readonly known: number

  constructor(message: string, report: SyncReport, differences: Differences, known: number) {
    const extra = { ...toSyncAnswer(report), dryRun: true }
    super(409, 'confirmation_required', message, { extra })
    this.differences = differences
    this.deleted = differences.deleted.length
    this.known = known
  }
}
