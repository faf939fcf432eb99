import type { Capabilities, RRsetEdit } from '../../../providers/contract.ts'

type Bounds = Pick<Capabilities, 'maxBatch' | 'maxBatchValues' | 'maxBatchLength'>

/** The edits in calls as large as the provider takes them, in order; one that is too large by itself goes alone. */
export function* batchesOf(
  edits: readonly RRsetEdit[],
  { maxBatch, maxBatchValues = Infinity, maxBatchLength = Infinity }: Bounds,
): Generator<RRsetEdit[]> {
  let batch: RRsetEdit[] = []
  let [values, length] = [0, 0]
  for (const edit of edits) {
    const named = edit.changes.flatMap((change) =>
      change.action === 'replace' ? [change.from.value, change.to.value] : [change.member.value],
    )
    const size = named.reduce((sum, value) => sum + value.length, edit.name.length)
    const isFull =
      batch.length >= maxBatch || values + named.length > maxBatchValues || length + size > maxBatchLength
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      values = length = 0
    }
    batch.push(edit)
    values += named.length
    length += size
  }
  if (batch.length > 0) yield batch
}
