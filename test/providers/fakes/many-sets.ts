import { Type } from '@sinclair/typebox'
import { RECORD_TYPES } from '../../../dns/types/index.ts'
import { memberKey, rrsetKey } from '../../../dns/rrset.ts'
import {
  ProviderError,
  type ChangeOutcome,
  type Member,
  type Provider,
  type RRset,
  type RRsetEdit,
} from '../../../modules/providers/contract.ts'

/**
 * A provider that has all that the contract has words for, in memory: several sets of a name and type, data of its own
 * beside records and sets, comments, a TTL for each record that it may choose itself, whole zones written at once, and
 * changes that are taken first and done later.
 */
export class ManySets {
  readonly rrsets = new Map<string, RRset>()
  /** What each `apply` was given. */
  readonly edits: RRsetEdit[][] = []
  /** How often `isFinished` says no. */
  unfinished = 0
  /** Milliseconds that a write takes. */
  writeMs = 0
  /** Writes at work now, and the most that ever were. */
  atWork = 0
  mostAtWork = 0
  /** Writes that are not in force yet. */
  uncommitted = 0
  /** That many calls of `commit` fail from now on. */
  failingCommits = 0
  readonly provider: Provider

  constructor() {
    this.provider = {
      id: '0192f0a0-0000-7000-8000-0000000000ff',
      key: 'many-sets',
      name: 'Many Sets',
      credentialSchema: Type.Object({}),
      rights: 'None',
      capabilities: {
        recordTypes: RECORD_TYPES,
        otherTypes: true,
        identity: 'rrset',
        batch: 'atomic',
        maxBatch: 100,
        proxied: false,
        routing: true,
        comments: true,
        ttlOf: 'record',
        automaticTtl: true,
        writeUnit: 'zone',
        disabledRecords: true,
        minTtl: 1,
        maxTtl: 86_400,
        apexCname: false,
        apexNs: true,
        createZone: false,
        zoneNameServers: false,
        soa: 'none',
        dnssec: 'none',
        deleteZone: false,
        truth: 'provider',
      },
      open: () => ({
        verify: async () => undefined,
        listZones: async function* (this: void) {
          yield []
        },
        findZones: async (name) => [{ id: name, name }],
        createZone: async () => Promise.reject(new ProviderError('rejected', 'No')),
        deleteZone: async () => undefined,
        listRRsets: async function* (this: void) {
          yield { rrsets: structuredClone([...held.values()]), unmanaged: [] }
        },
        readRRset: async (_, name, type, routing) =>
          structuredClone(held.get(rrsetKey({ name, type, routing })) ?? null),
        apply: (_, edits) => this.#apply(edits),
        isFinished: async () => this.unfinished-- <= 0,
        commit: async () => {
          if (this.failingCommits-- > 0) throw new ProviderError('unavailable', 'Many Sets is down')
          this.uncommitted = 0
        },
      }),
    }
    const held = this.rrsets
  }

  put(...rrsets: RRset[]): void {
    for (const rrset of rrsets) this.rrsets.set(rrsetKey(rrset), rrset)
  }

  async #apply(edits: RRsetEdit[]) {
    this.mostAtWork = Math.max(this.mostAtWork, ++this.atWork)
    await new Promise((resolve) => setTimeout(resolve, this.writeMs))
    this.atWork--
    this.edits.push(structuredClone(edits))
    for (const edit of edits) this.#change(edit)
    this.uncommitted++
    const outcomes = edits.map(({ changes }) =>
      changes.map((): ChangeOutcome => ({ ok: true, providerId: null })),
    )
    return { outcomes, change: 'change-1' }
  }

  /** Writes what it is given and nothing else: what is not given back is lost. */
  #change({ name, type, routing, ttl, extra, changes }: RRsetEdit): void {
    const key = rrsetKey({ name, type, routing })
    const members = new Map(
      (this.rrsets.get(key)?.members ?? []).map((member) => [
        memberKey({ name, type, value: member.value }),
        member,
      ]),
    )
    const keyOf = ({ value }: Member) => memberKey({ name, type, value })
    for (const change of changes) {
      if (change.action === 'remove') members.delete(keyOf(change.member))
      else if (change.action === 'add') members.set(keyOf(change.member), change.member)
      else {
        members.delete(keyOf(change.from))
        members.set(keyOf(change.to), change.to)
      }
    }
    if (members.size === 0) return void this.rrsets.delete(key)
    this.rrsets.set(key, {
      name,
      type,
      ttl,
      ...(routing && { routing }),
      ...(extra !== undefined && { extra }),
      members: [...members.values()],
    })
  }
}
