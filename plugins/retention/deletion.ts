import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { Database } from '../../db/tables/index.ts'
import {
  beginPart,
  dropPart,
  lastDeletedMonth,
  startOfKept,
  storeFinished,
  storeWritten,
  unfinishedParts,
  type Kind,
  type Part,
} from './archives-queries.ts'
import { archiveExists, idsIn, writeArchive, type Line } from './archive-files.ts'
import { limitsOf, monthOf, type Month } from './months.ts'

export type { Line } from './archive-files.ts'
export type { Month } from './months.ts'

/** Entries that are only kept for some time. */
export interface Archive {
  kind: Kind
  /** The time of an entry that can be deleted and is older than this; null: none. Of the oldest, as far as that is cheap. */
  oldest(before: Date): Promise<Date | null>
  /** The entries of a month that can be deleted, in batches, at most about `limit`. */
  entries(month: Month, limit: number): AsyncIterable<readonly Line[]>
  /** Deletes those of these entries that can be deleted; returns how many. */
  remove(ids: readonly string[]): Promise<number>
}

export interface DeletionContext {
  db: Kysely<Database>
  log: FastifyBaseLogger
  folder: string
  /** Months before the current one that are kept. */
  months: number
}

/** From when on nothing was deleted; null: nothing was deleted at all. */
export async function keptSince(db: Executor, kind: Kind): Promise<Date | null> {
  const month = await lastDeletedMonth(db, kind)
  return month === null ? null : limitsOf(month).to
}

/** Entries of one file: what an export that is interrupted has to repeat. */
const PART_ROWS = 200_000
/** Entries deleted by one statement. */
const BATCH = 500
/** After a batch, time for others: this part of the time it took. */
const REST = 1

/**
 * Exports whole months that are no longer kept to files, and deletes what the files contain. A file is complete and on
 * disk before the first of its entries is deleted, and exactly the entries it contains are deleted, so a process that
 * ends at any point loses nothing, and the next run continues.
 */
export async function deleteExported(
  context: DeletionContext,
  archive: Archive,
  stopping: AbortSignal,
): Promise<void> {
  const { db, months } = context
  for (const part of await unfinishedParts(db, archive.kind)) {
    if (stopping.aborted) return
    await finish(context, archive, part, stopping)
  }
  const before = await startOfKept(db, months)
  while (!stopping.aborted) {
    const oldest = await archive.oldest(before)
    if (oldest === null) return
    const part = await beginPart(db, archive.kind, monthOf(oldest))
    // Otherwise something protects the entries meanwhile, and the next run finds them again.
    if ((await finish(context, archive, part, stopping)) === 0) return
  }
}

/** Writes the file of a part, unless it is there, and deletes what it contains. Returns how many were deleted. */
async function finish(
  { db, log, folder }: DeletionContext,
  archive: Archive,
  part: Part,
  stopping: AbortSignal,
): Promise<number> {
  const { kind } = archive
  const file = path.join(folder, `${kind}-${part.month}-${part.part}.ndjson.gz`)
  const fields = { kind, month: part.month, part: part.part, file }
  if (!(await archiveExists(file))) {
    if (part.isWritten) {
      log.warn(fields, 'archive is no longer in ARCHIVE_DIR; the entries left are exported to another file')
      await storeFinished(db, kind, part)
      return 0
    }
    const isWritten = await writeArchive(
      file,
      archive.entries(limitsOf(part.month), PART_ROWS),
      stopping,
    ).catch((error: unknown) => {
      if (stopping.aborted) return false
      throw error
    })
    if (!isWritten) {
      if (!stopping.aborted) await dropPart(db, kind, part)
      return 0
    }
  }
  if (!part.isWritten) {
    let rows = 0
    // Read completely before anything is deleted: a damaged file must not lose entries.
    for await (const ids of idsIn(file, BATCH)) rows += ids.length
    await storeWritten(db, kind, part, rows)
  }
  let deleted = 0
  for await (const ids of idsIn(file, BATCH)) {
    if (stopping.aborted) return deleted
    const begun = performance.now()
    deleted += await archive.remove(ids)
    await sleep((performance.now() - begun) * REST)
  }
  await storeFinished(db, kind, part)
  log.info({ ...fields, deleted }, 'old entries exported and deleted')
  return deleted
}
