import { v7 as uuidv7 } from 'uuid'
import { parseOwner } from '../../dns/names.ts'
import { checkValue } from '../../dns/values/index.ts'
import type { FieldError } from '../../plugins/errors.ts'
import { mayChange, seesRecord } from '../domains/access.ts'
import {
  contentOf,
  type ChangeRequest,
  type RecordContent,
  type RecordInput,
  type RecordState,
  type Step,
} from './change.ts'
import { checkCapabilities, findConflict, type ZoneFacts } from './zone-rules.ts'

/** Why a request can't be done. */
export interface Refusal {
  index: number
  kind: 'invalid' | 'conflict' | 'not_found' | 'outdated' | 'forbidden'
  detail: string
  /** With `invalid`. */
  errors: FieldError[]
  /** With `conflict` the record in the way, with `outdated` the record as it is now. */
  record: RecordState | null
}

export interface Plan {
  steps: Step[]
  refusals: Refusal[]
  warnings: PlanWarning[]
}

export interface PlanWarning {
  /** Which request it is about; null when it concerns all. */
  index: number | null
  message: string
}

/** The names that the requests mention, as far as they can be read: what must be loaded beside their records. */
export function namesIn(requests: ChangeRequest[], zone: string): string[] {
  const names = requests.map((request) =>
    request.action === 'delete' || request.name === undefined ? null : parseOwner(request.name, zone),
  )
  return [...new Set(names.flatMap((parsed) => (parsed?.ok ? [parsed.name] : [])))]
}

/** A record while the plan is made: what it was, what it will be, and which request is to blame. */
interface Working {
  state: RecordState
  before: RecordContent | null
  index: number | null
}

/**
 * What would happen, decided without any I/O. `current`: all records of the names concerned.
 * Each request is judged on what those before it leave; deletions come first, then updates, then
 * creations, so that one call can replace a CNAME by something else.
 */
export function planChanges(zone: ZoneFacts, current: RecordState[], requests: ChangeRequest[]): Plan {
  const planner = new Planner(zone, current)
  for (const action of ['delete', 'update', 'create'] as const) {
    requests.forEach((request, index) => {
      if (request.action === action) planner.take(request, index)
    })
  }
  return planner.finish()
}

class Planner {
  readonly #zone: ZoneFacts
  readonly #records = new Map<string, Working>()
  readonly #byName = new Map<string, Set<Working>>()
  readonly #deleted: Working[] = []
  readonly #refusals: Refusal[] = []
  readonly #warnings: PlanWarning[] = []

  constructor(zone: ZoneFacts, current: RecordState[]) {
    this.#zone = zone
    for (const record of current) this.#add({ state: { ...record }, before: contentOf(record), index: null })
  }

  take(request: ChangeRequest, index: number): void {
    if (request.action === 'create') return this.#create(request, index)
    const working = this.#records.get(request.recordId.toLowerCase())
    if (!working || !seesRecord(this.#zone.scope, working.state)) {
      return this.#refuse(index, 'not_found', `No record ${request.recordId}`)
    }
    if (!mayChange(this.#zone.scope, working.state)) {
      return this.#refuse(index, 'forbidden', mayNotWrite(working.state))
    }
    if (request.version !== undefined && request.version !== working.state.version) {
      const detail = `The record was changed meanwhile: it is at version ${working.state.version}`
      return this.#refuse(index, 'outdated', detail, { record: working.state })
    }
    if (working.state.name === '@' && working.state.type === 'NS') {
      return this.#refuse(index, 'conflict', "NS at the apex is the provider's own", {
        record: working.state,
      })
    }
    if (request.action === 'update') this.#update(working, request, index)
    else this.#delete(working, index)
  }

  finish(): Plan {
    const steps = [
      ...this.#deleted.map((working) => toStep(working, null)),
      ...[...this.#records.values()]
        .filter(isChanged)
        .map((working) => toStep(working, contentOf(working.state))),
    ]
    return { steps, refusals: this.#refusals, warnings: this.#warnings }
  }

  #create(input: RecordInput & { action: 'create' }, index: number): void {
    const content = this.#contentFrom(null, input, index)
    if (!content || !this.#fits(content, null, index)) return
    const state: RecordState = { ...content, id: uuidv7(), version: 1, status: 'pending', providerId: null }
    this.#add({ state, before: null, index })
    this.#alignTtls(state, index)
  }

  #update(working: Working, input: RecordInput, index: number): void {
    const content = this.#contentFrom(working.state, input, index)
    if (!content || !this.#fits(content, working, index)) return
    this.#remove(working)
    Object.assign(working.state, content)
    working.index = index
    this.#add(working)
    this.#alignTtls(working.state, index)
  }

  #delete(working: Working, index: number): void {
    this.#remove(working)
    this.#records.delete(working.state.id)
    this.#deleted.push({ ...working, index })
  }

  /** The content that the input asks for, on top of what the record is; null when it was refused. */
  #contentFrom(base: RecordState | null, input: RecordInput, index: number): RecordContent | null {
    const errors: FieldError[] = []
    const type = input.recordType ?? base?.type ?? 'A'
    const owner = input.name === undefined ? null : parseOwner(input.name, this.#zone.name)
    if (owner && !owner.ok) errors.push({ path: '/name', message: owner.reason })
    const name = owner?.ok ? owner.name : (base?.name ?? '@')
    const rdata = readValue(base, type, input)
    if (!rdata.ok) errors.push(...rdata.errors.map((error) => ({ ...error, path: `/${error.path}` })))
    const content: RecordContent = {
      name,
      type,
      value: rdata.ok ? rdata.value : '',
      priority: rdata.ok ? rdata.priority : null,
      ttl: this.#ttlFor(base, { name, type }, input.ttl),
      proxied: input.proxied ?? base?.proxied ?? false,
    }
    errors.push(...checkCapabilities(content, this.#zone))
    if (errors.length === 0) {
      if (mayChange(this.#zone.scope, content)) return content
      this.#refuse(index, 'forbidden', mayNotWrite(content))
      return null
    }
    const detail = errors.map((error) => `${error.path.slice(1)}: ${error.message}`).join('; ')
    this.#refuse(index, 'invalid', detail, { errors })
    return null
  }

  /** RFC 2181 section 5.2: an RRset has one TTL, so who joins one without saying a TTL takes its. */
  #ttlFor(
    base: RecordState | null,
    target: { name: string; type: string },
    wanted: number | undefined,
  ): number {
    if (wanted !== undefined && wanted !== 0) return wanted
    const stays = base !== null && base.name === target.name && base.type === target.type
    if (stays && wanted === undefined) return base.ttl
    const sibling = this.#at(target.name).find(
      ({ state }) => state.type === target.type && state.id !== base?.id,
    )
    if (sibling) return sibling.state.ttl
    return base !== null && wanted === undefined ? base.ttl : this.#zone.defaultTtl
  }

  #fits(content: RecordContent, self: Working | null, index: number): boolean {
    const others = this.#at(content.name).filter((working) => working !== self)
    const conflict = findConflict(
      content,
      others.map(({ state }) => state),
      this.#zone,
    )
    if (conflict) this.#refuse(index, 'conflict', conflict.detail, { record: conflict.record })
    return conflict === null
  }

  #alignTtls({ id, name, type, ttl }: RecordState, index: number): void {
    const unequal = this.#at(name).filter(
      ({ state }) => state.type === type && state.id !== id && state.ttl !== ttl,
    )
    for (const { state } of unequal) state.ttl = ttl
    if (unequal.length > 0) {
      this.#warnings.push({ index, message: `All ${type} records of ${name} have one TTL: it is now ${ttl}` })
    }
  }

  #refuse(index: number, kind: Refusal['kind'], detail: string, more: Partial<Refusal> = {}): void {
    this.#refusals.push({ index, kind, detail, errors: [], record: null, ...more })
  }

  #at(name: string): Working[] {
    return [...(this.#byName.get(name) ?? [])]
  }

  #add(working: Working): void {
    this.#records.set(working.state.id, working)
    const named = this.#byName.get(working.state.name) ?? new Set()
    this.#byName.set(working.state.name, named.add(working))
  }

  #remove(working: Working): void {
    this.#byName.get(working.state.name)?.delete(working)
  }
}

/** The value that the record will have. An update may name the value, or of MX and SRV the priority alone. */
function readValue(base: RecordState | null, type: RecordContent['type'], input: RecordInput) {
  const { value = base?.value ?? '', priority = null } = input
  // What was synced may break the rules that we have for users; sending it back as it is must not fail.
  if (
    base &&
    value === base.value &&
    type === base.type &&
    (priority === null || priority === base.priority)
  ) {
    return { ok: true as const, value: base.value, priority: base.priority }
  }
  if (input.value === undefined && priority !== null) {
    return checkValue(type, value.replace(/^\d+/, String(priority)), priority)
  }
  const checked = checkValue(type, value, priority)
  if (checked.ok || priority !== null || base?.type !== type) return checked
  // A value without its priority: the record keeps the one it has.
  const kept = checkValue(type, value, base.priority)
  return kept.ok ? kept : checked
}

const mayNotWrite = ({ type, name }: Pick<RecordContent, 'type' | 'name'>) =>
  `You may not write ${type} records of ${name} here`

const isChanged = ({ state, before }: Working) =>
  before === null ||
  before.name !== state.name ||
  before.type !== state.type ||
  before.value !== state.value ||
  before.ttl !== state.ttl ||
  before.proxied !== state.proxied

const toStep = ({ state, before, index }: Working, after: RecordContent | null): Step => ({
  index,
  action: before === null ? 'create' : after === null ? 'delete' : 'update',
  recordId: state.id,
  providerId: state.providerId,
  before,
  after,
})
