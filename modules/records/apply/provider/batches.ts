import type { Capabilities, RRsetEdit } from '../../../providers/contract.ts'

type Bounds = Pick<Capabilities, 'maxBatch' | 'maxBatchValues' | 'maxBatchLength'>

/** Splits edits into the largest batches the provider accepts, in order. An edit that is too large is sent alone. */
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
