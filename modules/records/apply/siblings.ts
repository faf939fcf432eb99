import { rrsetKey } from '../../../dns/names/rrset.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { seesRecord, type DomainRow, type RecordScope } from '../../domains/access/access.ts'
import { zoneOf } from '../../domains/service.ts'
import type { ProviderConnection } from '../../providers/traffic/connection.ts'
import { ProviderError } from '../../providers/contract.ts'
import type { RecordContext } from '../context.ts'
import { adoptSets } from '../sync/adoption.ts'
import type { Step } from '../plan/change.ts'
import type { PlanWarning } from '../plan/plan.ts'
import type { KnownValues, SetKey, UnknownValues } from '../plan/change.ts'
import { readSets } from './provider/provider-reads.ts'

/** Most RRsets of a plan that are read at the provider; each may cost a call. */
const MAX_READ = 10

/**
 * Warns about unknown values that the provider holds in the RRsets of the steps. Changes nothing. If the provider fails,
 * there are no such warnings.
 */
export async function warnAboutSiblings(
  { log }: Pick<RecordContext, 'log'>,
  domain: DomainRow,
  connection: ProviderConnection,
  scope: RecordScope,
  steps: readonly Step[],
  known: KnownValues,
): Promise<PlanWarning[]> {
  const keys = setsOf(steps)
  if (keys.length === 0) return []
  if (connection.provider.capabilities.truth === 'local' || keys.length > MAX_READ) return []
  try {
    const rrsets = await readSets(connection, zoneOf(domain), keys)
    const unknown = keys.map((key): UnknownValues => {
      const expected = new Set([...(known.get(rrsetKey(key)) ?? []), ...valuesIn(steps, key)])
      const there = rrsets.get(rrsetKey(key))?.members ?? []
      return { ...key, values: there.map(({ value }) => value).filter((value) => !expected.has(value)) }
    })
    return siblingWarnings(unknown, scope, steps)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.info({ reason: error.message, domainId: domain.id }, 'provider not queried for a plan')
    return []
  }
}

/**
 * Stores unknown values that a write found in its RRsets as drift, and warns about them. If storing fails, the next sync
 * does it; the write itself is done.
 */
export async function noteSeen(
  context: RecordContext,
  domain: DomainRow,
  scope: RecordScope,
  steps: readonly Step[],
  seen: readonly UnknownValues[],
): Promise<PlanWarning[]> {
  const unknown = seen.filter(({ values }) => values.length > 0)
  if (unknown.length === 0) return []
  const values = new Map(unknown.map((one) => [rrsetKey(one), new Set(one.values)]))
  try {
    await adoptSets(
      context,
      domain,
      unknown,
      (content) => values.get(rrsetKey(content))?.has(content.value) ?? false,
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.log.warn({ reason: error.message, domainId: domain.id }, 'unknown siblings not stored')
  }
  return siblingWarnings(unknown, scope, steps)
}

/** Most values that a message names. */
const SHOWN = 5

/** Returns the warnings about RRsets that the caller sees. */
const siblingWarnings = (
  unknown: readonly UnknownValues[],
  scope: RecordScope,
  steps: readonly Step[],
): PlanWarning[] =>
  unknown
    .filter(({ values, name, type }) => values.length > 0 && seesRecord(scope, { name, type }))
    .map(({ name, type, routing, values }) => {
      const key = rrsetKey({ name, type, routing: routing ?? null })
      const step = steps.find(({ before, after }) =>
        [after, before].some((content) => content !== null && rrsetKey(content) === key),
      )
      const more = values.length > SHOWN ? ` and ${values.length - SHOWN} more` : ''
      const shown = values.slice(0, SHOWN).join(', ')
      return {
        index: step?.index ?? null,
        code: 'unknown_siblings',
        params: { name, recordType: type, count: values.length, values: `${shown}${more}` },
        message: `${name} ${type} has other values at the provider, which are kept: ${shown}${more}`,
      }
    })

const contentsOf = (steps: readonly Step[]) =>
  steps.flatMap(({ before, after }) => [before, after].filter((content) => content !== null))

/** Returns the RRsets that the steps concern. */
const setsOf = (steps: readonly Step[]): SetKey[] => [
  ...new Map(
    contentsOf(steps).map(({ name, type, routing }) => [
      rrsetKey({ name, type, routing }),
      { name, type, routing },
    ]),
  ).values(),
]

const valuesIn = (steps: readonly Step[], key: SetKey): string[] =>
  contentsOf(steps)
    .filter((content) => rrsetKey(content) === rrsetKey(key))
    .map(({ value }) => value)
