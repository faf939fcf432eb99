import type { Routing } from '../../../dns/names/rrset.ts'
import type { Member, RRset, Zone } from '../../../modules/providers/contract.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import type { FaultForms } from '../subjects/http-faults.ts'
import type { SubjectFaults } from '../subjects/subject-faults.ts'
import type { Subject } from '../suite/subject.ts'
import type { AccessTokens } from './access-tokens.ts'
import {
  answerOf,
  parse,
  refusedBy,
  type Body,
  type CallCount,
  type CallRate,
  type Reply,
} from './answers.ts'
import type { Jobs } from './jobs.ts'
import type { SimulatorAnswer, SimulatorRequest, SimulatorServer } from './server.ts'
import type { Signable } from './signatures.ts'

/** A zone in a simulator. */
export interface SimulatedZone {
  readonly name: string
}

/** Calls taken per period, as an option of the simulator; unlimited unless set. */
export interface Limit {
  /** Name of the option that sets the number of calls. */
  option: string
  /** Length of the period; the option `seconds` replaces it. */
  seconds: number
  /** Number of calls where the option is not set. Default: unlimited. */
  usual?: number
  /** What is counted together. Default: everything. */
  scope?: (request: SimulatorRequest) => string
  /** `wait`: seconds until the next call is taken. */
  refuse: (wait: number, rate: CallRate) => Reply
  /** Headers of every answer within the limit. */
  headers?: (rate: CallRate, count: CallCount) => Record<string, string>
}

/** One call to a simulated API; the getters refuse it the way the provider does. */
export class Call<Z extends SimulatedZone = SimulatedZone, K = Keys> {
  readonly request: SimulatorRequest
  readonly params: Readonly<Record<string, string>>
  readonly sim: Simulator<Z, K>
  readonly #dialect: Dialect<Z, K>

  constructor(
    request: SimulatorRequest,
    params: Record<string, string>,
    sim: Simulator<Z, K>,
    dialect: Dialect<Z, K>,
  ) {
    this.request = request
    this.params = params
    this.sim = sim
    this.#dialect = dialect
  }

  get query(): URLSearchParams {
    return this.request.query
  }

  /** The JSON body. */
  get body(): unknown {
    return parse(this.request, answerOf(this.#dialect.errors.badJson ?? { status: 400 }))
  }

  get zones(): Z[] {
    return [...this.sim.zones.values()]
  }

  /** The zone that the path names. */
  get zone(): Z {
    const key = this.params['zone'] ?? ''
    const { zoneKey, errors } = this.#dialect
    const found =
      zoneKey === undefined
        ? this.sim.zones.get(key)
        : this.zones.find((each) => [zoneKey(each)].flat().includes(key))
    if (found !== undefined) return found
    const { noZone = errors.noRoute } = errors
    throw refusedBy(typeof noZone === 'function' ? noZone(this) : noZone)
  }

  /** The id that the path names. */
  get id(): string {
    return this.params['id'] ?? ''
  }
}

export type Keys = Record<string, string>
type Handler<Z extends SimulatedZone, K> = (call: Call<Z, K>) => SimulatorAnswer | Promise<SimulatorAnswer>

/** What is special about a provider's API: keys, routes, errors and limits. */
export interface Dialect<Z extends SimulatedZone, K = Keys> {
  /** Path of the API at the server, with its query where it has one. */
  path?: string
  /** The keys of an account, and what else each simulator has of its own. */
  keys: (options: Body) => K
  /** Refuses a caller without a good key, or with one that may not do this. */
  authenticate?: (request: SimulatorRequest, sim: Simulator<Z, K>) => void
  /** Gives access tokens, at an address of its own. */
  login?: (request: SimulatorRequest, sim: Simulator<Z, K>) => SimulatorAnswer
  /** What a client with good keys sends with a request. */
  headers?: (keys: K & { tokens: AccessTokens }, request: Signable) => Record<string, string>
  newZone: (name: string, given: Body, options: Body) => Z
  /** What paths name a zone by. Default: its name. */
  zoneKey?: (zone: Z) => string | string[]
  /** The path as the routes know it. */
  readPath?: (path: string) => string
  /** `METHOD /path/:parameter`, below `path`; `:zone` and `:id` are known to `Call`. */
  routes: Record<string, Handler<Z, K>>
  errors: {
    noRoute: Reply | ((call: Pick<Call<Z, K>, 'request'>) => Reply)
    notAllowed?: Reply | ((call: Pick<Call<Z, K>, 'request'>) => Reply)
    noZone?: Reply | ((call: Call<Z, K>) => Reply)
    badJson?: Reply
  }
  limits?: Limit[]
  /** Which requests change something, where their methods don't say it. */
  changes?: (request: SimulatorRequest) => boolean
  /** Missing where the subject is made in another way. */
  suite?: SuiteSide<Z, K>
}

/** Answers late, and fails some calls, from now on. */
export interface Mood {
  /** Milliseconds each answer takes, or the least and the most. */
  latency?: number | readonly [number, number]
  /** Share of the calls that get `answer` instead, from 0 to 1. */
  share?: number
  answer?: SimulatorAnswer
}

export type Simulator<Z extends SimulatedZone = SimulatedZone, K = Keys> = SimulatorServer &
  K & {
    /** Address of the API. */
    apiUrl: string
    zones: Map<string, Z>
    /** Sessions that are open, where the API has such. */
    sessions: Set<string>
    /** Address of the login, where the API has such. */
    loginUrl: string
    /** Those that the login gives; they end after the option `tokenSeconds`. */
    tokens: AccessTokens
    /** Changes that are done later, where the API has such. */
    jobs: Jobs
    options: Body
    mood: Mood
    createZone: (name: string, given?: Body) => Z
    deleteZone: (name: string) => void
    zoneNames: () => string[]
    dialect: Dialect<Z, K>
  }

/** Fills in the types of a dialect. */
export const defineDialect = <Z extends SimulatedZone, K extends object>(dialect: Dialect<Z, K>) => dialect

/** A record that a simulator holds. */
export interface HeldRecord {
  /** Relative to the zone, `@` for the apex. */
  name: string
  type: string
  /** Presentation format, with absolute names. */
  rdata: string
  routing?: Routing | null
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  disabled?: boolean
  proxied?: boolean
  comment?: string | null
}

/** A record to put into a simulator. */
export interface NewRecord {
  name: string
  type: RecordType
  value: string
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  routing: Routing | null | undefined
  member: Member
}

/** How the conformance suite uses a simulator. */
export interface SuiteSide<Z extends SimulatedZone, K> {
  /** Credentials of the adapter, without `apiUrl`. */
  credentials: (keys: K & { url: string; apiUrl: string; loginUrl: string }) => Record<string, string>
  /** The credential that is secret, and a wrong one of the same form. */
  secret: string
  wrong: string | ((keys: K & { loginUrl: string }) => string)
  /** Default: one whose id is its name. */
  missingZone?: Zone
  /** Name of the n-th zone of the suite. Default: below `conformance.test`. */
  zoneName?: (n: number) => string
  /** What a new zone of the suite is made with. */
  given?: Record<string, unknown>
  /** Puts records into a zone that are not there yet. */
  seed?: (zone: Z, records: NewRecord[]) => void
  /** The same where RRsets are put, each as a whole. */
  seedSets?: (zone: Z, rrsets: RRset[]) => void
  /** All records of the zone, without the provider's own. */
  held: (zone: Z) => HeldRecord[]
  /** Puts records there that we don't manage, as `Subject.foreign`; answers how to look at them. */
  foreign?: (zone: Z, sim: Simulator<Z, K>) => () => unknown
  extra?: (zone: Z, sim: Simulator<Z, K>) => () => unknown
  faults: FaultForms
  /** What this subject has more, or has otherwise. */
  more?: (subject: Subject & { faults: SubjectFaults }, zone: Z, sim: Simulator<Z, K>) => Partial<Subject>
}
