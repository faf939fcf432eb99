import type { ReasonCode } from '../../../schemas/reason-codes.ts'
import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import type { Provider } from '../../providers/contract.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { seesRecord, type RecordScope } from '../../domains/access/access.ts'
import { describe, type RecordContent, type RecordState } from './change.ts'

/** What planning knows of a zone. */
export interface ZoneFacts {
  name: string
  defaultTtl: number
  providerName: string
  capabilities: Provider['capabilities']
  /** Further rules of the provider, where it has some. */
  audit?: Provider['audit']
  /** What the caller sees and may change. */
  scope: RecordScope
}

export const zoneFacts = (
  domain: { name: string; default_ttl: number },
  { name: providerName, capabilities, audit }: Pick<Provider, 'name' | 'capabilities' | 'audit'>,
  scope: RecordScope,
): ZoneFacts => ({
  name: domain.name,
  defaultTtl: domain.default_ttl,
  providerName,
  capabilities,
  scope,
  ...(audit && { audit }),
})

/** Another record, or the zone itself, stands against it. */
interface Conflict {
  /** Which rule, for programs. */
  code: ReasonCode
  detail: string
  /** The record in the way, where it is one. */
  record: RecordState | null
}

/** Why users can't say a value of that type; empty when they can. */
export function checkWritable({ type }: { type: RecordType }): FieldError[] {
  if (!typeOf(type).readOnly) return []
  const message = `${type} is made by who signs or serves the zone, and can't be written`
  return [{ path: '/recordType', code: 'type_read_only', message, params: { recordType: type } }]
}

/** Why users can't have records of that type there; empty when they can. */
export function checkPlacement({ name, type }: { name: string; type: RecordType }): FieldError[] {
  const known = readType(type)
  if (known !== type) {
    const why = known === null ? 'is no type of records' : `is ${known}: use that`
    return [
      { path: '/recordType', code: 'type_unknown', message: `${type} ${why}`, params: { recordType: type } },
    ]
  }
  const { place, rfc } = typeOf(type)
  if (place === 'below' && name === '@') {
    const message = `${type} of the zone itself belongs into the zone above, not here (${rfc})`
    return [{ path: '/name', code: 'not_at_apex', message, params: { recordType: type } }]
  }
  if (place === 'apex' && name !== '@') {
    return [
      {
        path: '/name',
        code: 'only_at_apex',
        message: `${type} belongs to the apex alone (${rfc})`,
        params: { recordType: type },
      },
    ]
  }
  return []
}

/**
 * What stands against the record in its zone, or null. `others`, of the other records of its name: one that is
 * equal, and one of each type that is served.
 * CNAME beside other data: RFC 1034 section 3.6.2, RFC 2181 section 10.1; disabled records are no data.
 */
export function findConflict(
  content: RecordContent,
  { equal, served }: { equal: RecordState | null; served: RecordState[] },
  zone: ZoneFacts,
): Conflict | null {
  if (content.name === '@') {
    if (content.type === 'NS' && !zone.capabilities.apexNs) {
      return { code: 'apex_ns', detail: "NS at the apex is the provider's own", record: null }
    }
    if (content.type === 'CNAME' && !zone.capabilities.apexCname) {
      return {
        code: 'apex_cname',
        detail: `A CNAME can't be at the apex at ${zone.providerName}`,
        record: null,
      }
    }
  }
  if (equal) {
    const how = equal.enabled ? '' : ', disabled'
    return { code: 'exists', detail: `${describe(equal)} is there already${how}`, record: equal }
  }
  const dname = content.type === 'DNAME' ? served.find(({ type }) => type === 'DNAME') : undefined
  if (content.enabled && dname) {
    const detail = `There is one DNAME at a name (RFC 6672, 2.4), and there is ${describe(dname)}`
    return { code: 'dname_alone', detail, record: dname }
  }
  return content.enabled ? findCrowd(content, served, zone) : null
}

/** A CNAME must be alone among the records that are served. */
function findCrowd(content: RecordContent, others: RecordState[], zone: ZoneFacts): Conflict | null {
  // What the caller may not see is in the way all the same, and is not named.
  const hidden = others.find(
    (other) => !seesRecord(zone.scope, other) && (other.type === 'CNAME' || content.type === 'CNAME'),
  )
  if (hidden)
    return {
      code: 'cname_alone',
      detail: 'A CNAME must be alone, and there is another record of this name',
      record: null,
    }
  const cname = others.find((other) => other.type === 'CNAME')
  if (cname)
    return {
      code: 'cname_alone',
      detail: `A CNAME must be alone, and there is ${describe(cname)}`,
      record: cname,
    }
  if (content.type === 'CNAME' && others[0]) {
    return {
      code: 'cname_alone',
      detail: `A CNAME must be alone, and there is ${describe(others[0])}`,
      record: others[0],
    }
  }
  return null
}
