import type { Executor } from '../../../db/connection/connect.ts'
import { checkMailPolicy } from '../../../dns/mail-policy/mail-policy.ts'
import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import { seesAllRecords, type RecordScope } from '../../domains/access/access.ts'
import { describe, recordParams, type RecordContent, type Step } from './change.ts'
import {
  aboutName,
  aboutZone,
  ancestorsOf,
  neighbourhoodOf,
  type Neighbour,
  type Said,
} from './neighbour-warnings.ts'
import type { PlanWarning } from './plan.ts'
import { findNames, findNeighbours } from '../list/queries.ts'

/**
 * Warns about changes that are allowed but probably a mistake: targets missing from this zone, CNAMEs that point to
 * CNAMEs, faulty SPF, DMARC and DKIM texts, duplicates of what must be unique, data that a delegation hides. Callers who
 * see a part of the zone get no warnings about other names, which would disclose them.
 */
export async function warnAbout(
  db: Executor,
  domain: { id: string; name: string },
  scope: RecordScope,
  steps: Step[],
): Promise<PlanWarning[]> {
  const written = servedAfter(steps)
  const targets = (seesAllRecords(scope) ? written : []).flatMap(({ index, content }) => {
    const target = targetIn(content, domain.name)
    return target === null ? [] : [{ index, content, target }]
  })
  const known = await readKinds(
    db,
    domain.id,
    targets.map(({ target }) => target),
    written.map(({ content }) => content),
  )
  const near = neighbourhoodOf(await readNeighbours(db, domain, steps))
  const about = ({ content }: { content: RecordContent }) => [
    ...aboutName(content, near),
    ...(seesAllRecords(scope) ? aboutZone(content, near, domain.name) : []),
  ]
  return [
    ...onceEach(written.flatMap((one) => about(one).map((said) => toWarning(one, said)))),
    ...written.flatMap((one) =>
      typeOf(one.content.type)
        .warnings(one.content.value)
        .map(({ code, message }) =>
          toWarning(one, { code, message: `${describe(one.content)}: ${message}` }),
        ),
    ),
    ...targets.flatMap((one) => {
      const said = aboutTarget(one.content, one.target, known)
      return said === null ? [] : [toWarning(one, said)]
    }),
    ...written
      .filter(({ content }) => content.type === 'TXT')
      .flatMap((one) =>
        checkMailPolicy(one.content.name, one.content.value).map((said) => toWarning(one, said)),
      ),
  ]
}

const toWarning = ({ index, content }: { index: number | null; content: RecordContent }, said: Said) => ({
  index,
  ...said,
  params: { ...recordParams(content), ...said.params },
})

/** Disabled records need no warnings. */
const servedAfter = (steps: Step[]) =>
  steps.flatMap(({ index, after }) => (after?.enabled ? [{ index, content: after }] : []))

/** Drops repeated warnings about several records. */
const onceEach = (warnings: PlanWarning[]): PlanWarning[] => [
  ...new Map(warnings.toReversed().map((warning) => [warning.message, warning])).values(),
]

/** Returns the records that may affect the written ones, as they will be after the change. */
async function readNeighbours(
  db: Executor,
  domain: { id: string; name: string },
  steps: Step[],
): Promise<Neighbour[]> {
  const written = servedAfter(steps).map(({ content }) => content)
  if (written.length === 0) return []
  const namesOf = (type: string) => written.filter((content) => content.type === type).map(({ name }) => name)
  const found = await findNeighbours(db, domain.id, {
    names: [...new Set(written.flatMap(({ name }) => [name, ...ancestorsOf(name), '@']))],
    below: [...namesOf('NS').filter((name) => name !== '@'), ...namesOf('DNAME')],
    targets: namesOf('CNAME').map((name) => absoluteName(name, domain.name)),
  })
  // The records of a previewed plan are not in the database.
  const changed = new Set(steps.map(({ recordId }) => recordId))
  return [...found.filter(({ id }) => !changed.has(id)), ...written]
}

/** Returns the name within the zone that the record points to, or null. */
function targetIn({ type, value }: RecordContent, zone: string): string | null {
  if (type !== 'CNAME' && type !== 'MX' && type !== 'SRV' && type !== 'NS') return null
  const target = value.slice(value.lastIndexOf(' ') + 1)
  return target === '.' ? null : relativeName(target, zone)
}

/** Names that have records, and whether these are a CNAME. */
type Kinds = Map<string, { cname: boolean }>

async function readKinds(
  db: Executor,
  domainId: string,
  targets: string[],
  written: RecordContent[],
): Promise<Kinds> {
  if (targets.length === 0) return new Map()
  const names = [...new Set(targets.flatMap((target) => [target, ...wildcardsFor(target)]))]
  const rows = await findNames(db, domainId, names)
  const kinds: Kinds = new Map(rows.map(({ name, cname }) => [name, { cname }]))
  // The records of a previewed plan are not in the database.
  for (const { name, type } of written) kinds.set(name, { cname: type === 'CNAME' })
  return kinds
}

/** RFC 4592: a wildcard at any ancestor may answer for the name. */
const wildcardsFor = (name: string) => {
  const labels = name === '@' ? [] : splitLabels(name).slice(1)
  return labels.map((_, i) => ['*', ...labels.slice(i)].join('.')).concat(name === '@' ? [] : ['*'])
}

function aboutTarget(content: RecordContent, target: string, kinds: Kinds): Said | null {
  const found = [target, ...wildcardsFor(target)]
    .map((name) => kinds.get(name))
    .find((kind) => kind !== undefined)
  if (!found) {
    return {
      code: 'target_missing',
      params: { target },
      message: `${describe(content)} points to ${target}, which does not exist in this zone`,
    }
  }
  if (!found.cname) return null
  if (content.type === 'CNAME') {
    const message = `${describe(content)} points to another CNAME, which slows down lookups`
    return { code: 'cname_chain', message }
  }
  const message = `${describe(content)} points to a CNAME; ${content.type} must not point to one (RFC 2181, 10.3)`
  return { code: 'target_cname', message }
}
