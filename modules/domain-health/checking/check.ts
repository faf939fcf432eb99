import { isSpf } from '../../../dns/mail-policy/spf-merge.ts'
import { txtToText } from '../../../dns/types/txt.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { HEALTH_CODES, type HealthCode } from '../catalogue.ts'
import type { HealthContext } from '../context.ts'
import type { Finding, Unknown } from './finding.ts'
import { askedFindings } from '../network/index.ts'
import type { Behind } from '../network/serials.ts'
import { remembering } from '../network/tools.ts'
import { findHealth } from '../queries.ts'
import { isRegistrable, registrationFindings } from '../stored/registration.ts'
import { storedFindings } from '../stored/stored-zone.ts'
import { targetsOf, type Target } from '../stored/targets.ts'
import { ofType, type NodeOfZone, type StoredRecord } from '../stored/zone.ts'

/** Records of one domain whose targets are looked up. */
const MAX_TARGETS = 200
/** SPF records of one domain whose included records are looked up. */
const MAX_POLICIES = 20
/** Stored of one check. */
const MAX_UNKNOWN = 250
/** Findings that are stored of one code. */
const MAX_OF_CODE = 50

/** What a check of a domain found. */
export interface Checked {
  startedAt: Date
  findings: Finding[]
  /** How many more there are of a code. */
  omitted: { code: HealthCode; count: number }[]
  unknown: Unknown[]
  /** Name servers with an old serial. */
  behind: Behind
}

/** Checks a domain; stores nothing. Memory doesn't depend on the size of the zone. */
export async function checkDomain(
  { db, dns, http, providerRegistry, resolve = remembering(dns) }: HealthContext,
  domain: DomainRow,
  signal: AbortSignal,
): Promise<Checked> {
  const startedAt = new Date()
  const kept = keeper()
  const unknown: Unknown[] = []
  const targets: Target[] = []
  const policies: StoredRecord[] = []
  let hasMtaSts = false
  const note = ({ name, records }: NodeOfZone) => {
    const texts = ofType(records, 'TXT')
    if (name === '_mta-sts') hasMtaSts ||= texts.some(({ value }) => /^v=STSv1/i.test(txtToText(value)))
    const spf = texts.filter(({ value }) => isSpf(txtToText(value)))
    policies.push(...spf.slice(0, MAX_POLICIES - policies.length))
    if (targets.length < MAX_TARGETS)
      targets.push(...targetsOf(records).slice(0, MAX_TARGETS - targets.length))
  }
  for (const found of registrationFindings(domain, startedAt)) kept.add(found)
  const provider = providerRegistry.byId(domain.provider_id)
  if (domain.last_synced_at === null && provider?.capabilities.truth !== 'local') unknown.push(NOT_IMPORTED)
  else for await (const found of storedFindings(db, domain, note)) kept.add(found)
  const before = (await findHealth(db, domain.id))?.behind ?? {}
  const isPublic = isRegistrable(domain.name) || domain.registrar !== null || domain.epp_status.length > 0
  const asked = await askedFindings(
    { dns, http, resolve, signal },
    domain.name,
    { targets, policies, hasMtaSts, isPublic },
    { behind: before, now: startedAt },
  )
  for (const found of asked.findings) kept.add(found)
  unknown.push(...asked.unknown.slice(0, MAX_UNKNOWN))
  return { startedAt, ...kept.result(), unknown, behind: asked.behind }
}

/** Codes of findings about stored records. */
const OF_RECORDS = HEALTH_CODES.filter((code) => /^(mail|caa|address|ttl|rrset|target)\./.test(code))

const NOT_IMPORTED: Unknown = {
  codes: OF_RECORDS,
  subject: null,
  reason: 'not_imported',
  detail: 'The zone has not been imported yet, so its records are not known.',
}

/** Keeps some findings of each code, and counts the rest. */
function keeper() {
  const byCode = new Map<HealthCode, { kept: Map<string, Finding>; omitted: number }>()
  return {
    add(found: Finding) {
      const { code, name, type, subject } = found
      const of = byCode.get(code) ?? { kept: new Map<string, Finding>(), omitted: 0 }
      const key = JSON.stringify([name, type, subject])
      if (of.kept.size < MAX_OF_CODE || of.kept.has(key)) of.kept.set(key, found)
      else of.omitted++
      byCode.set(code, of)
    },
    result: () => ({
      findings: [...byCode.values()].flatMap(({ kept }) => [...kept.values()]),
      omitted: [...byCode].flatMap(([code, { omitted: count }]) => (count > 0 ? [{ code, count }] : [])),
    }),
  }
}
