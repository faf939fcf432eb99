import type { FastifyInstance } from 'fastify'
import { call, type Answer } from '../helpers/app.ts'

/* external-dns as its protocol and its TXT registry have it: what it reads, compares and sends in each round. */
export const MEDIA_TYPE = 'application/external.dns.webhook+json;version=1'

export interface Endpoint {
  dnsName: string
  recordType: string
  targets: string[]
  recordTTL?: number
  setIdentifier?: string
  labels?: Record<string, string>
  providerSpecific?: { name: string; value: string }[]
}

export interface Changes {
  create: Endpoint[]
  updateOld: Endpoint[]
  updateNew: Endpoint[]
  delete: Endpoint[]
}

const OWNER = 'heritage=external-dns,external-dns/owner=default'
const keyOf = ({ dnsName, recordType, setIdentifier = '' }: Endpoint) =>
  `${dnsName} ${recordType} ${setIdentifier}`
const sorted = (targets: string[]) => JSON.stringify(targets.toSorted())
const specific = ({ providerSpecific = [] }: Endpoint) =>
  JSON.stringify(providerSpecific.toSorted((a, b) => a.name.localeCompare(b.name)))

/** The TXT record that says who owns an endpoint: of the name with the type before it. */
const ownership = ({ dnsName, recordType, providerSpecific }: Endpoint): Endpoint => ({
  // As with --txt-wildcard-replacement=any.
  dnsName: `${recordType.toLowerCase()}-${dnsName.replace('*', 'any')}`,
  recordType: 'TXT',
  targets: [`"${OWNER},external-dns/resource=ingress/default/${dnsName.split('.')[0]}"`],
  labels: { ownedRecord: dnsName },
  ...(providerSpecific && { providerSpecific }),
})

export class ExternalDns {
  readonly #app: FastifyInstance
  readonly #authorization: string

  /** By the user and the token, as Go sends them that stand in a URL. */
  constructor(app: FastifyInstance, user: string, token: string) {
    this.#app = app
    this.#authorization = `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
  }

  ask(method: 'GET' | 'POST', path: string, payload?: object): Promise<Answer> {
    return call(this.#app, {
      method,
      url: `/api/v1/external-dns${path}`,
      headers: {
        authorization: this.#authorization,
        accept: MEDIA_TYPE,
        ...(payload && { 'content-type': MEDIA_TYPE }),
      },
      ...(payload && { payload: JSON.stringify(payload) }),
    })
  }

  /** What is there, and which of it is owned. */
  async #records() {
    const { status, body } = await this.ask('GET', '/records')
    if (status !== 200) throw new Error(`failed to get records with code ${status}`)
    const all = body as Endpoint[]
    const owned = new Set(
      all
        .filter(({ recordType, targets }) => recordType === 'TXT' && targets[0]?.includes(OWNER))
        .map(({ dnsName }) => dnsName),
    )
    const records = all.filter(({ dnsName }) => !owned.has(dnsName))
    return { records, isOwned: (one: Endpoint) => owned.has(ownership(one).dnsName) }
  }

  /** The changes that make it so, without those of what somebody else owns. */
  async plan(desired: Endpoint[]): Promise<Changes> {
    const { records, isOwned } = await this.#records()
    const { status, body } = await this.ask('POST', '/adjustendpoints', desired)
    if (status !== 200) throw new Error(`failed to AdjustEndpoints with code ${status}`)
    const wanted = body as Endpoint[]
    const here = new Map(records.map((one) => [keyOf(one), one]))
    const keys = new Set(wanted.map(keyOf))
    const pairs = wanted.flatMap((after) => {
      const before = here.get(keyOf(after))
      return before && isOwned(before) && isOther(before, after) ? [{ before, after }] : []
    })
    const withOwner = (endpoints: Endpoint[]) => [...endpoints, ...endpoints.map(ownership)]
    return {
      create: withOwner(wanted.filter((one) => !here.has(keyOf(one)))),
      updateOld: withOwner(pairs.map(({ before }) => before)),
      updateNew: withOwner(pairs.map(({ after }) => after)),
      delete: withOwner(records.filter((one) => isOwned(one) && !keys.has(keyOf(one)))),
    }
  }

  async apply(changes: Changes): Promise<Answer> {
    return this.ask('POST', '/records', changes)
  }

  /** One round. Answers how many changes there were, and what the webhook said to them. */
  async round(desired: Endpoint[]): Promise<{ changes: number; answer: Answer | null }> {
    const changes = await this.plan(desired)
    const count = changes.create.length + changes.updateNew.length + changes.delete.length
    return { changes: count, answer: count === 0 ? null : await this.apply(changes) }
  }
}

/** As external-dns compares: targets in any order, a TTL only where one is wanted, all that is specific to providers. */
const isOther = (before: Endpoint, after: Endpoint): boolean =>
  sorted(before.targets) !== sorted(after.targets) ||
  ((after.recordTTL ?? 0) > 0 && after.recordTTL !== (before.recordTTL ?? 0)) ||
  specific(before) !== specific(after)
