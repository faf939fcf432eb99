import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { RECORD_TYPES } from '../../../dns/types/index.ts'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import {
  ANY_TEXT,
  ProviderError,
  type Capabilities,
  type ChangeOutcome,
  type DnsAdapter,
  type Provider,
  type RRset,
  type RRsetEdit,
  type Soa,
  type UnmanagedRecord,
  type Unfinished,
  type Zone,
} from '../../../modules/providers/contract.ts'
import { ManySetsZone } from './many-sets-zone.ts'

const NAME = 'example.com'
const SECRET = 'many-sets-secret'

/** What is wrong from now on with all reads or all writes. */
interface Failure {
  on: 'read' | 'write'
  error: ProviderError
  /** Of writes: whether they take effect nevertheless; `half`: all but the last of them do. */
  applied: boolean | 'half'
}

/**
 * A provider that has all that the contract has words for, in memory: several sets of a name and type, data of its own
 * beside records and sets, comments, a TTL for each record that it may choose itself, whole zones written at once, and
 * changes that are taken first and done later. `capabilities`: what is otherwise.
 */
export class ManySets {
  /** What each `apply` was given. */
  readonly edits: RRsetEdit[][] = []
  /** How often `apply` changed anything. */
  writes = 0
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
  failure: Failure | null = null
  readonly unmanaged: UnmanagedRecord[] = []
  readonly provider: Provider
  readonly #zones = new Map([[NAME, new ManySetsZone()]])

  constructor(capabilities: Partial<Capabilities> = {}) {
    this.provider = {
      id: '0192f0a0-0000-7000-8000-0000000000ff',
      key: 'many-sets',
      name: 'Many Sets',
      credentialSchema: Type.Object({
        secret: Type.String({ title: 'Secret', writeOnly: true, default: SECRET }),
        server: Type.String({ title: 'Server', default: 'up' }),
      }),
      rights: 'None',
      capabilities: { ...CAPABILITIES, ...capabilities },
      open: async (credentials) => this.#open(credentials as Record<string, string>),
    }
  }

  get credentials() {
    return { secret: SECRET, server: 'up' }
  }

  get zoneName(): string {
    return NAME
  }

  get rrsets(): Map<string, RRset> {
    return this.#zone({ id: NAME }).rrsets
  }

  put(...rrsets: RRset[]): void {
    this.#zone({ id: NAME }).put(...rrsets)
  }

  #open({ secret, server }: Record<string, string>): DnsAdapter {
    const enter = () => {
      if (server !== 'up') throw new ProviderError('unavailable', 'Many Sets cannot be reached')
      if (secret !== SECRET) throw new ProviderError('auth', 'Many Sets refuses the secret')
    }
    const read = <T>(work: () => T): Promise<T> =>
      settled(() => {
        enter()
        if (this.failure?.on === 'read') throw asRead(this.failure.error)
        return structuredClone(work())
      })
    const write = <T>(work: () => T): Promise<T> =>
      settled(() => {
        enter()
        return work()
      })
    const pages = async function* <T>(work: () => T): AsyncGenerator<T> {
      yield await read(work)
    }
    const zone = (name: string): Zone => ({ id: name, name })
    return {
      verify: () => read(() => undefined),
      listZones: () => pages(() => [...this.#zones.keys()].map(zone)),
      findZones: (name) => read(() => (this.#zones.has(name) ? [zone(name)] : [])),
      createZone: ({ name }) =>
        write(() => {
          if (this.#zones.has(name)) throw new ProviderError('conflict', 'Many Sets has this zone')
          this.#zones.set(name, new ManySetsZone())
          return zone(name)
        }),
      deleteZone: ({ id }) => write(() => void this.#zones.delete(id)),
      readSoa: (of) => read(() => this.#zone(of).soa),
      writeSoa: (of, soa: Soa) => write(() => void (this.#zone(of).soa = { ...soa, serial: soa.serial + 1 })),
      readDnssec: (of) => read(() => this.#zone(of).dnssec),
      writeDnssec: (of, signed) => write(() => this.#zone(of).sign(signed)),
      listRRsets: (of) =>
        pages(() => ({ rrsets: [...this.#zone(of).rrsets.values()], unmanaged: this.unmanaged })),
      readRRset: (of, name, type, routing) =>
        read(() => this.#zone(of).rrsets.get(rrsetKey({ name, type, routing })) ?? null),
      apply: async (of, edits) => {
        await write(() => this.#zone(of))
        return this.#apply(this.#zone(of), edits)
      },
      isFinished: async () => this.unfinished-- <= 0,
      commit: async () => {
        if (this.failingCommits-- > 0) throw new ProviderError('unavailable', 'Many Sets is down')
        this.uncommitted = 0
      },
    }
  }

  #zone({ id }: Pick<Zone, 'id'>): ManySetsZone {
    const zone = this.#zones.get(id)
    if (zone === undefined) throw new ProviderError('not_found', 'Many Sets does not have this zone')
    return zone
  }

  async #apply(zone: ManySetsZone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished> {
    this.mostAtWork = Math.max(this.mostAtWork, ++this.atWork)
    await sleep(this.writeMs)
    this.atWork--
    this.edits.push(edits.map(({ found: _found, ...edit }) => structuredClone(edit)))
    const failure = this.failure?.on === 'write' ? this.failure : null
    if (failure?.applied === false) throw failure.error
    const { batch, identity } = this.provider.capabilities
    const taken = failure?.applied === 'half' ? edits.slice(0, -1) : edits
    const { outcomes, isChanged } = zone.change(taken, batch === 'atomic', identity === 'record-id')
    if (isChanged) this.writes++
    if (failure?.applied === true) throw failure.error
    if (failure !== null)
      outcomes.push((edits.at(-1)?.changes ?? []).map(() => ({ ok: false, error: failure.error })))
    this.uncommitted++
    return { outcomes, change: 'change-1' }
  }
}

/** Reads change nothing, whatever becomes of them. */
const asRead = ({ kind, message, retryAfter }: ProviderError) =>
  new ProviderError(kind, message, { retryAfter })

const settled = async <T>(work: () => T): Promise<T> => work()

const CAPABILITIES: Capabilities = {
  recordTypes: RECORD_TYPES,
  otherTypes: true,
  identity: 'rrset',
  idsChange: false,
  batch: 'atomic',
  maxBatch: 100,
  proxied: true,
  routing: true,
  comments: true,
  ttlOf: 'record',
  automaticTtl: true,
  writeUnit: 'zone',
  disabledRecords: true,
  minTtl: 1,
  maxTtl: 86_400,
  defaultTtl: 3600,
  ttlByPlan: false,
  txt: ANY_TEXT,
  wildcards: true,
  underscores: true,
  nullMx: true,
  apexCname: true,
  apexAlias: true,
  apexNs: true,
  createZone: true,
  zoneNameServers: false,
  soa: 'write',
  dnssec: 'write',
  deleteZone: true,
  truth: 'provider',
}
