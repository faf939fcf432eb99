import { AppError } from '../../../plugins/http/errors.ts'
import { contentOf, type RecordContent } from '../plan/change.ts'
import { toContent } from '../list/mapper.ts'
import type { Differences } from './sync-differences.ts'
import type { ProviderRecords } from './sync-provider.ts'

/** What a sync found and did. */
export interface SyncReport {
  /** Compared records at the provider. */
  synced: number
  created: number
  updated: number
  deleted: number
  unchanged: number
  /** Unmanaged records at the provider. */
  skipped: number
  dryRun: boolean
  difference: SyncDifference
}

/** Maps a report to its answer. */
export const toSyncAnswer = ({ difference: { created, updated, deleted }, ...counts }: SyncReport) => ({
  ...counts,
  difference: {
    created: created.map(toContent),
    updated: updated.map(({ before, after }) => ({ before: toContent(before), after: toContent(after) })),
    deleted: deleted.map(toContent),
  },
})

/** The first differences of each kind. */
interface SyncDifference {
  created: RecordContent[]
  updated: { before: RecordContent; after: RecordContent }[]
  deleted: RecordContent[]
}

/** Most differences of a kind in an answer. */
const SHOWN = 100

/** Returns the report of a comparison. `there`: all records at the provider. */
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

/** A sync would delete so many records that a person must confirm it. */
export class MuchIsGone extends AppError {
  readonly differences: Differences
  /** Records that would be deleted, and records known here. */
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
