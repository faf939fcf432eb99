import { relativeName } from '../../../dns/names/names.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { publishedAfter, publishedAt, typesAtNames } from '../checking/check-queries.ts'
import type { Finding } from '../checking/finding.ts'
import { NODE_CHECKS, ZONE_CHECKS } from './index.ts'
import { isRegistrable } from './registration.ts'
import { decidingNames, targetFindings, targetsOf } from './targets.ts'
import { FACT_NAMES, type NodeOfZone, type StoredRecord, type ZoneFacts } from './zone.ts'

/** Records read at once; with those of one name, all that is held of a zone. */
const BATCH = 1_000

interface CheckedDomain {
  id: string
  name: string
}

/** Checks a stored zone of any size, name by name; `see` also gets the names. */
export async function* storedFindings(
  db: Executor,
  { id, name }: CheckedDomain,
  see: (node: NodeOfZone) => void,
): AsyncGenerator<Finding> {
  const known = await publishedAt(db, id, FACT_NAMES, BATCH)
  const facts: ZoneFacts = { name, known, isRegistrable: isRegistrable(name) }
  for (const check of ZONE_CHECKS) yield* check(facts)
  for await (const nodes of nodesOf(db, id)) {
    nodes.forEach(see)
    for (const node of nodes) for (const check of NODE_CHECKS) yield* check(node, facts)
    yield* await targetsWithin(db, { id, name }, nodes)
  }
}

/** Judges the targets within the zone of some names. */
async function targetsWithin(
  db: Executor,
  { id, name }: CheckedDomain,
  nodes: NodeOfZone[],
): Promise<Finding[]> {
  const within = nodes
    .flatMap(({ records }) => targetsOf(records))
    .flatMap(({ host }) => relativeName(host, name) ?? [])
  if (within.length === 0) return []
  const types = await typesAtNames(db, id, [...new Set(within.flatMap(decidingNames))])
  return nodes.flatMap((node) => targetFindings(node, name, types))
}

/** All names of a zone with their records, some at a time. */
async function* nodesOf(db: Executor, domainId: string): AsyncGenerator<NodeOfZone[]> {
  let rest: StoredRecord[] = []
  for (let after: StoredRecord | null = null; ;) {
    const read: StoredRecord[] = await publishedAfter(db, domainId, after, BATCH)
    const records = [...rest, ...read]
    const isLast = read.length < BATCH
    // The records of the last name may continue in the next batch.
    const last = records.at(-1)?.name
    rest = isLast ? [] : records.filter(({ name }) => name === last)
    const whole = isLast ? records : records.filter(({ name }) => name !== last)
    yield [...Map.groupBy(whole, ({ name }) => name)].map(([name, grouped]) => ({ name, records: grouped }))
    if (isLast) return
    after = read.at(-1) ?? null
  }
}
