import type { Executor } from '../../db/connection/connect.ts'
import type { Secrets } from '../../plugins/security/secrets.ts'
import { replaceSealed, sealedAfter, type SealedRow } from './rotation-queries.ts'
import type { SealedColumn } from './sealed-columns.ts'

interface Rotation {
  /** Re-encrypted with the first key. */
  rotated: number
  /** Already encrypted with the first key. */
  current: number
  /** Ids of values that no key opens, or that changed meanwhile. */
  left: string[]
}

const BATCH = 100

/**
 * Re-encrypts every value of the column with the first key. Each row is one statement that replaces only the value that was
 * read, so the script can be interrupted, run again, and run while the service is up.
 */
export async function rotateColumn(db: Executor, secrets: Secrets, column: SealedColumn): Promise<Rotation> {
  const rotation: Rotation = { rotated: 0, current: 0, left: [] }
  let after: string | null = null
  for (;;) {
    const rows: SealedRow[] = await sealedAfter(db, column, after, BATCH)
    for (const row of rows) {
      if (secrets.keyIdOf(row.value) === secrets.currentKeyId) rotation.current++
      else if (await rotateRow(db, secrets, column, row)) rotation.rotated++
      else rotation.left.push(row.id)
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < BATCH) return rotation
  }
}

async function rotateRow(
  db: Executor,
  secrets: Secrets,
  column: SealedColumn,
  row: SealedRow,
): Promise<boolean> {
  const context = column.context(row.id)
  let plaintext: string
  try {
    plaintext = secrets.open(row.value, context)
  } catch {
    return false
  }
  return replaceSealed(db, column, row, secrets.seal(plaintext, context))
}
