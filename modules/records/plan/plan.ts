import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'
import { v7 as uuidv7 } from 'uuid'
import type { NameResult } from '../../../dns/names/names.ts'
import type { RRsetKey } from '../../../dns/names/rrset.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import { inSlices } from '../../../plugins/http/event-loop.ts'
import { mayChange, redirects, seesRecord } from '../../domains/access/access.ts'
import {
  contentOf,
  describe,
  rrsetParams,
  recordParams,
  type RequestedChange,
  type RecordContent,
  type RecordInput,
  type RecordState,
} from './change.ts'
import { rrsetFor, ttlFor } from './joined-rrset.ts'
import { ownersIn, readOwner, readValue, verbatimValue } from './input.ts'
import type { Plan, PlanWarning, Refusal } from './plan-outcome.ts'
import { isChanged, PlannedNames, toStep, type Working } from './planned-names.ts'
import { auditPlan, checkCapabilities } from './provider-rules.ts'
import { checkPlacement, checkWritable, findConflict, type ZoneFacts } from './zone-rules.ts'

export type { Plan, PlanWarning, Refusal } from './plan-outcome.ts'

/** Returns the names that the requests mention, as far as they are valid: their records must be loaded as well. */
export async function namesIn(
  requests: RequestedChange[],
  zone: string,
  { verbatim = false }: { verbatim?: boolean | undefined } = {},
): Promise<string[]> {
  const names = new Set<string>()
  await inSlices(requests, (request) => {
    if (request.action === 'delete' || request.name === undefined) return
    for (const name of verbatim ? [request.name] : ownersIn(request.name, zone)) names.add(name)
  })
  return [...names]
}

/**
 * Decides what requested changes would do, without I/O and in linear time. `current`: all records of the names concerned.
 * Each request is checked against the result of those before it. Deletions come first, then updates, then creations, so
 * that one call can replace a CNAME with other records. `verbatim`: names, values and TTLs are canonical and were served
 * before, so the rules for users do not apply.
 */
export async function planChanges(
  zone: ZoneFacts,
  current: RecordState[],
  requests: RequestedChange[],
  { verbatim = false }: { verbatim?: boolean | undefined } = {},
): Promise<Plan> {
  const planner = new Planner(zone, current, verbatim)
  for (const action of ['delete', 'update', 'create'] as const) {
    await inSlices(requests.entries(), ([index, request]) => {
      if (request.action === action) planner.take(request, index)
    })
  }
  return auditPlan(zone, planner.finish())
}

class Planner {
  readonly #zone: ZoneFacts
  readonly #verbatim: boolean
  readonly #records = new Map<string, Working>()
  readonly #names = new PlannedNames()
  readonly #deleted: Working[] = []
  readonly #refusals: Refusal[] = []
  readonly #warnings: PlanWarning[] = []

  constructor(zone: ZoneFacts, current: RecordState[], verbatim: boolean) {
    this.#zone = zone
    this.#verbatim = verbatim
    for (const record of current) this.#add({ state: { ...record }, before: contentOf(record), index: null })
  }

  take(request: RequestedChange, index: number): void {
    if (request.action === 'create') return this.#create(request, index)
    const working = this.#records.get(request.recordId.toLowerCase())
    if (!working || !seesRecord(this.#zone.scope, working.state)) {
      return this.#refuse(index, 'not_found', 'not_found', `No record ${request.recordId}`)
    }
    if (!mayChange(this.#zone.scope, working.state)) {
      return this.#refuse(index, 'forbidden', 'may_not_write', mayNotWrite(working.state), {
        params: rrsetParams(working.state),
      })
    }
    if (request.version !== undefined && request.version !== working.state.version) {
      const detail = `The record has changed and is now at version ${working.state.version}; read it again`
      // The stored record, without the other changes of this plan.
      return this.#refuse(index, 'outdated', 'outdated', detail, {
        record: { ...working.state, ...working.before },
        params: { version: working.state.version },
      })
    }
    if (isApexNs(working.state) && !this.#zone.capabilities.apexNs) {
      return this.#keep(index, 'apex_ns', APEX_NS, working.state)
    }
    if (request.action === 'update') this.#update(working, request, index)
    else this.#delete(working, index)
  }

  finish(): Plan {
    const aligned = this.#zone.capabilities.ttlOf !== 'record' ? this.#names.alignTtls() : []
    for (const { index, name, type, ttl } of aligned) {
      const message = `All ${type} records of ${name} share one TTL, which is now ${ttl ?? 'chosen by the provider'}`
      this.#warnings.push({ index, code: 'ttl_aligned', params: { name, recordType: type, ttl }, message })
    }
    const kept = this.#keepApexNs()
    const steps = [
      ...this.#deleted.map((working) => toStep(working, null)),
      ...[...this.#records.values()]
        .filter(isChanged)
        .map((working) => toStep(working, contentOf(working.state))),
    ].filter(({ recordId }) => !kept.has(recordId))
    return { steps, refusals: this.#refusals, warnings: this.#warnings }
  }

  /** Keeps the NS records at the apex when none would be left: without them the zone does not resolve. */
  #keepApexNs(): Set<string> {
    if (this.#names.rrset(APEX_NS_RRSET).served(null)) return new Set()
    const going = [...this.#deleted, ...this.#records.values()].filter(
      ({ before }) => before && isServedApexNs(before),
    )
    for (const { index, state } of going) {
      this.#keep(index ?? 0, 'last_apex_ns', 'The last NS record at the apex cannot be deleted', state)
    }
    return new Set(going.map(({ state }) => state.id))
  }

  /** Refuses a user's change; a verbatim change continues without it, with a warning. */
  #keep(index: number, code: 'apex_ns' | 'last_apex_ns', detail: string, record: RecordState): void {
    const params = recordParams(record)
    if (this.#verbatim) {
      this.#warnings.push({ index, code: `${code}_kept`, params, message: `${detail}, and stays unchanged` })
    } else this.#refuse(index, 'conflict', code, detail, { record, params })
  }

  #create(input: RecordInput & { action: 'create' }, index: number): void {
    const content = this.#contentFrom(null, input, index)
    if (!content || !this.#fits(content, null, index)) return
    const state: RecordState = { ...content, id: uuidv7(), version: 1, status: 'pending', providerId: null }
    this.#add({ state, before: null, index })
    this.#names.rrset(state).aligned = { ttl: state.ttl, index }
  }

  #update(working: Working, input: RecordInput, index: number): void {
    const content = this.#contentFrom(working.state, input, index)
    if (!content || !this.#fits(content, working, index)) return
    this.#names.remove(working)
    Object.assign(working.state, content)
    working.index = index
    this.#add(working)
    this.#names.rrset(content).aligned = { ttl: content.ttl, index }
  }

  #delete(working: Working, index: number): void {
    this.#names.remove(working)
    this.#records.delete(working.state.id)
    this.#deleted.push({ ...working, index })
  }

  /** Returns the content of `base` changed by the input; null when it was refused. */
  #contentFrom(base: RecordState | null, input: RecordInput, index: number): RecordContent | null {
    const errors: FieldError[] = []
    const type = input.recordType ?? base?.type ?? 'A'
    const owner = this.#ownerFrom(base, input.name)
    if (!owner.ok) errors.push({ path: '/name', code: owner.code, message: owner.reason })
    const name = owner.ok ? owner.name : '@'
    const rdata =
      this.#verbatim && input.value !== undefined
        ? verbatimValue(type, input.value)
        : readValue(base, type, input)
    if (!rdata.ok) errors.push(...rdata.errors.map((error) => ({ ...error, path: `/${error.path}` })))
    const set = rrsetFor(this.#names, base, { name, type }, input, this.#verbatim)
    if (!set.ok) errors.push(set.error)
    const { routing, extra } = set.ok ? set : { routing: null, extra: null }
    const content: RecordContent = {
      name,
      type,
      value: rdata.ok ? rdata.value : '',
      priority: rdata.ok ? rdata.priority : null,
      ttl: this.#ttlFor(base, { name, type, routing }, input.ttl),
      proxied: input.proxied ?? base?.proxied ?? false,
      enabled: input.enabled ?? base?.enabled ?? true,
      comment: input.comment ?? base?.comment ?? '',
      routing,
      extra,
    }
    const hasTtl =
      this.#names.rrset(content).hasTtl(content.ttl) || (base?.type === type && base.ttl === content.ttl)
    if (!this.#verbatim) {
      if (base?.type !== type || base.name !== name) errors.push(...checkPlacement(content))
      if (base?.value !== content.value) errors.push(...checkWritable(content))
    }
    const held = {
      name: base?.type === type && base.name === name,
      value: base?.type === type && base.value === content.value,
      ttl: hasTtl,
    }
    errors.push(...checkCapabilities(content, this.#zone, held))
    if (errors.length === 0) {
      if (mayChange(this.#zone.scope, content)) return content
      this.#refuse(index, 'forbidden', 'may_not_write', mayNotWrite(content), {
        params: rrsetParams(content),
      })
      return null
    }
    const detail = errors.map((error) => `${error.path.slice(1)}: ${error.message}`).join('; ')
    this.#refuse(index, 'invalid', 'invalid', detail, { errors })
    return null
  }

  #ownerFrom(base: RecordState | null, given: string | undefined): NameResult {
    if (given === undefined) return { ok: true, name: base?.name ?? '@' }
    if (this.#verbatim) return { ok: true, name: given }
    const isTaken = (name: string) =>
      this.#names.ofEachRRset(name).some((record) => seesRecord(this.#zone.scope, record))
    return readOwner(base, given, this.#zone.name, isTaken)
  }

  #ttlFor(base: RecordState | null, key: RRsetKey, wanted: number | null | undefined): number | null {
    const joins = this.#zone.capabilities.ttlOf !== 'record'
    return ttlFor(base, key, wanted, {
      verbatim: this.#verbatim,
      ofRRset: joins ? this.#names.rrset(key).ttl(base?.id) : undefined,
      usual: this.#zone.defaultTtl,
    })
  }

  #fits(content: RecordContent, self: Working | null, index: number): boolean {
    if (isApexNs(content) && !this.#zone.capabilities.apexNs && this.#verbatim) {
      const message = `${APEX_NS}, so ${describe(content)} is left out`
      this.#warnings.push({ index, code: 'apex_ns_left_out', params: recordParams(content), message })
      return false
    }
    const others = {
      equal: this.#names.rrset(content).equal(content.value, self)?.state ?? null,
      served: this.#names
        .ofEachRRset(content.name, { except: self, served: true })
        .filter(({ routing }) => routing?.key === content.routing?.key),
    }
    const conflict = findConflict(content, others, this.#zone)
    if (conflict) {
      const { code, detail, record } = conflict
      this.#refuse(index, 'conflict', code, detail, {
        record,
        params: record ? recordParams(record) : rrsetParams(content),
      })
    }
    return conflict === null
  }

  #refuse(
    index: number,
    kind: Refusal['kind'],
    code: ReasonCode,
    detail: string,
    more: Partial<Refusal> = {},
  ): void {
    this.#refusals.push({ index, kind, code, detail, params: {}, errors: [], record: null, ...more })
  }

  #add(working: Working): void {
    this.#records.set(working.state.id, working)
    this.#names.add(working)
  }
}

const APEX_NS = 'The provider manages the NS records at the apex'

const APEX_NS_RRSET = { name: '@', type: 'NS' }

const isApexNs = ({ name, type }: Pick<RecordContent, 'name' | 'type'>) => name === '@' && type === 'NS'

const isServedApexNs = (content: RecordContent) => content.enabled && isApexNs(content)

/** What is said of a record that the caller may not write. */
export function mayNotWrite({ type, name }: Pick<RecordContent, 'type' | 'name'>): string {
  const refusal = `You have no permission to write ${type} records at ${name}`
  if (!redirects(type)) return refusal
  return name === '@'
    ? `${refusal}: only the owner of the domain and administrators may write ${type} at the apex`
    : `${refusal}: ${type} needs permissions for ${name} and all names below it`
}
