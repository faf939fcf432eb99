import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { SimulatedZone } from './dialect.ts'
import { invalidBatch, invalidInput } from './route53-answers.ts'
import { inOrder, meaningOf, nameOf, readSet, valuesOf, whyInvalid, type Route53Set } from './route53-sets.ts'
import { isElements, listOf, textOf, type Xml, type XmlElements } from './xml.ts'

export const newId = (letter: string) => `${letter}${randomBytes(10).toString('hex').toUpperCase()}`

const ACTIONS = ['CREATE', 'DELETE', 'UPSERT']
const MAX_RECORDS = 1000
const MAX_CHARACTERS = 32_000

interface Change {
  action: string
  set: Route53Set
}

const keyOf = ({ name, type, identifier }: Route53Set) => JSON.stringify([name, type, identifier ?? null])

/** By the labels in reverse, each with a dot after it, then by type and identifier. */
const orderOf = (name: string, type = '', identifier = '') => [
  `${name.slice(0, -1).split('.').toReversed().join('.')}.`,
  type,
  identifier,
]

const isBefore = (one: string[], other: string[]): boolean => {
  const at = one.findIndex((part, i) => part !== other[i])
  return at !== -1 && (one[at] ?? '') < (other[at] ?? '')
}

/** One hosted zone, with the checks that Route 53 makes when it is changed. All methods throw Refused. */
export class Route53Zone implements SimulatedZone {
  readonly id = newId('Z')
  readonly name: string
  /** The name with the final dot. */
  readonly apex: string
  readonly callerReference: string
  readonly isPrivate: boolean
  readonly comment: string
  readonly nameServers = ['net', 'com', 'co.uk', 'org'].map(
    (end, i) => `ns-${i * 512 + 81}.awsdns-1${i}.${end}`,
  )
  /** A change is at work. */
  isBusy = false
  #sets = new Map<string, Route53Set>()
  #sorted: { set: Route53Set; order: string[] }[] | null = null

  constructor(name: string, { callerReference = newId('R'), isPrivate = false, comment = '' } = {}) {
    this.name = name
    this.apex = `${name}.`
    this.callerReference = callerReference
    this.isPrivate = isPrivate
    this.comment = comment
    const soa = `${this.nameServers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400`
    const servers = this.nameServers.map((server) => `${server}.`)
    this.upsert(this.#own('NS', '172800', servers), this.#own('SOA', '900', [soa]))
  }

  /** Copies, in Route 53's order. */
  get sets(): Route53Set[] {
    return structuredClone(this.#inOrder().map(({ set }) => set))
  }

  /** Those that did not come with the zone. */
  get added(): Route53Set[] {
    return this.sets.filter(({ name, type }) => name !== this.apex || !['NS', 'SOA'].includes(type))
  }

  get size(): number {
    return this.#sets.size
  }

  #inOrder(): { set: Route53Set; order: string[] }[] {
    this.#sorted ??= [...this.#sets.values()]
      .map((set) => ({ set, order: orderOf(set.name, set.type, set.identifier) }))
      .sort((a, b) => (isBefore(a.order, b.order) ? -1 : 1))
    return this.#sorted
  }

  /** The list from there on: a place in it, not a filter. Not copied. */
  from(name: string | null, type: string | null, identifier: string | null): Route53Set[] {
    if (name === null && type !== null) throw invalidInput('The name is needed where a type is given')
    if (type === null && identifier !== null)
      throw invalidInput('The type is needed where an identifier is given')
    const start = name === null ? [] : orderOf(nameOf(name), type ?? '', identifier ?? '')
    const rest = this.#inOrder().filter(({ order }) => !isBefore(order, start))
    return rest.map(({ set }) => set)
  }

  /** Puts sets there, in the form of a request, however many. */
  upsert(...sets: XmlElements[]): void {
    this.#apply(sets.map((set) => ({ action: 'UPSERT', set: readSet(set, 'UPSERT') })))
  }

  /** All or nothing: the changes of a request's `ChangeBatch`. */
  change(batch: Xml | undefined): void {
    const { Changes: changes } = inOrder(batch, 'ChangeBatch', ['Comment', 'Changes'])
    const items = listOf(isElements(changes) ? changes['Change'] : undefined)
    if (items.length === 0)
      throw invalidInput('Invalid XML ; The content of element Changes is not complete.')
    const read = items.map((item): Change => {
      const { Action, ResourceRecordSet } = inOrder(item, 'Change', ['Action', 'ResourceRecordSet'])
      const action = textOf(Action) ?? ''
      if (!ACTIONS.includes(action))
        throw invalidInput(`Invalid XML ; Value '${action}' is not one of [${ACTIONS.join(', ')}].`)
      return { action, set: readSet(ResourceRecordSet, action) }
    })
    checkSize(read)
    this.#apply(read)
  }

  /** One after the other, as they are given: stricter than is known, a deletion makes room only for what comes after. */
  #apply(changes: Change[]): void {
    const before = new Map(this.#sets)
    const wrong = [...repeated(changes)]
    this.#sorted = null
    for (const { action, set } of changes) {
      const reason = action === 'DELETE' ? this.#whyNotDeleted(set) : this.#whyNotPut(action, set)
      if (reason !== null) wrong.push(reason)
      else if (action === 'DELETE') this.#sets.delete(keyOf(set))
      else this.#sets.set(keyOf(set), set)
    }
    if (wrong.length === 0) return
    this.#sets = before
    throw invalidBatch(wrong)
  }

  #whyNotDeleted(set: Route53Set): string | null {
    const held = this.#sets.get(keyOf(set))
    const tried = `Tried to delete resource record set ${shown(set)}`
    if (held === undefined) return `${tried} but it was not found`
    if (!isDeepStrictEqual(comparable(held), comparable(set)))
      return `${tried} but the values provided do not match the current values`
    if (set.name !== this.apex) return null
    if (set.type === 'SOA') return 'A HostedZone must contain exactly one SOA record.'
    return set.type === 'NS' ? 'A HostedZone must contain at least one NS record for the zone itself.' : null
  }

  #whyNotPut(action: string, set: Route53Set): string | null {
    const { name, type, identifier, policy } = set
    const values = valuesOf(set)
    const rrset = `RRSet of type ${type} with DNS name ${name}`
    const place = `RRSet with DNS name ${name}`
    if (name !== this.apex && !name.endsWith(`.${this.apex}`))
      return `${place} is not permitted in zone ${this.apex}`
    if (action === 'CREATE' && this.#sets.has(keyOf(set)))
      return `Tried to create resource record set ${shown(set)} but it already exists`
    const meanings = values.map((value) => meaningOf(type, value) ?? value)
    const twice = values.find((_, i) => meanings.indexOf(meanings[i] ?? '') !== i)
    if (twice !== undefined) return `Duplicate Resource Record: '${twice}'`
    const invalid = values.map((value) => whyInvalid(type, value)).find((reason) => reason !== null)
    if (invalid !== undefined) return invalid
    const isLabel = (label: string) => label !== '' && label.length <= 63
    if (!name.slice(0, -1).split('.').every(isLabel) || name.length > 255)
      return `FATAL problem: DomainLabelTooLong (Domain label is too long) encountered with '${name}'`
    if (type === 'CNAME' && name === this.apex)
      return `${rrset} is not permitted at apex in zone ${this.apex}`
    if (type === 'NS' && name.startsWith('*.')) return `${rrset} is not permitted: it is a wildcard`
    if (['CNAME', 'SOA'].includes(type) && values.length > 1) return `${rrset} has more than one value`
    const others = [...this.#sets.values()].filter((other) => other.name === name)
    const alike = others.filter((other) => other.type === type && other.policy !== policy)
    if (alike.length > 0) {
      const kind = identifier === undefined ? '' : `, SetIdentifier ${identifier},`
      return `${place}, type ${type}${kind} cannot be created as other RRSets exist with the same name and type.`
    }
    const clash = others.find((other) => other.type !== type && (type === 'CNAME' || other.type === 'CNAME'))
    return clash === undefined
      ? null
      : `${rrset} is not permitted because a conflicting RRSet of type  ${clash.type} with the same DNS name already exists in zone ${this.apex}`
  }

  #own(type: string, TTL: string, values: string[]): XmlElements {
    const records = values.map((value) => ({ Value: value }))
    return { Name: this.apex, Type: type, TTL, ResourceRecords: { ResourceRecord: records } }
  }
}

/** Values are of a set without order, and to the letter: stricter than is known, `a.test` is not `a.test.`. */
const comparable = (set: Route53Set) => ({
  ...set.elements,
  ResourceRecords: valuesOf(set).sort(),
})

const shown = ({ name, type, identifier }: Route53Set) =>
  `[name='${name}', type='${type}'${identifier === undefined ? '' : `, set-identifier='${identifier}'`}]`

/** One set may be named once, or be deleted and then created. */
function repeated(changes: Change[]): string[] {
  const actions = new Map<string, string[]>()
  for (const { action, set } of changes) actions.set(keyOf(set), [...(actions.get(keyOf(set)) ?? []), action])
  return changes
    .filter(
      ({ set }) => !['CREATE', 'DELETE', 'UPSERT', 'DELETE,CREATE'].includes(String(actions.get(keyOf(set)))),
    )
    .map(
      ({ set }) =>
        `The request contains an invalid set of changes for a resource record set '${set.type} ${set.name}'`,
    )
}

/** An UPSERT counts twice. */
function checkSize(changes: Change[]): void {
  const sum = (count: (values: string[]) => number) =>
    changes.reduce((all, { action, set }) => all + count(valuesOf(set)) * (action === 'UPSERT' ? 2 : 1), 0)
  if (sum((values) => values.length) > MAX_RECORDS)
    throw invalidBatch([`Number of records limit of ${MAX_RECORDS} exceeded.`])
  if (sum((values) => values.join('').length) > MAX_CHARACTERS)
    throw invalidBatch([`Number of characters limit of ${MAX_CHARACTERS} exceeded.`])
}
