/** One request of a scenario, and how it is sent. */
export interface Step {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  /** From the root, with its query. */
  path: string
  /** A string goes as it is, anything else as JSON. */
  body?: unknown
  /** The key that is sent; the server's own by default. */
  key?: 'none' | 'wrong'
  /** Beside the key; PowerDNS writes some errors as text unless JSON is asked for. */
  headers?: Record<string, string>
}

/** What stands behind the service: a PowerDNS, a simulated Cloudflare, or nothing. */
export type Backend = 'cloudflare' | 'manual' | 'powerdns'

/** Requests that are sent in this order, all on one new zone with two name servers. */
export interface Scenario {
  name: string
  /** Where the requests are described. */
  source: string
  /** The zone is given without a final dot. */
  steps(zone: string): Step[]
  /** All, unless only some can do it. */
  backends?: Backend[]
}

export const SERVER = '/api/v1/servers/localhost'
export const NAME_SERVERS = ['ns1.example.net.', 'ns2.example.net.']

export const zonePath = (zone: string, rest = ''): string => `${SERVER}/zones/${zone}.${rest}`
export const get = (path: string, more: Partial<Step> = {}): Step => ({ method: 'GET', path, ...more })
export const put = (path: string, body?: unknown): Step => ({ method: 'PUT', path, body })
export const post = (path: string, body?: unknown): Step => ({ method: 'POST', path, body })
export const remove = (path: string): Step => ({ method: 'DELETE', path })

export interface GivenRecord {
  content: string
  disabled?: boolean
  [more: string]: unknown
}

export const on = (content: string): GivenRecord => ({ content, disabled: false })
export const off = (content: string): GivenRecord => ({ content, disabled: true })

/** An RRset that replaces what is there. */
export const replace = (name: string, type: string, ...records: GivenRecord[]) => ({
  name,
  type,
  ttl: 300,
  changetype: 'REPLACE',
  records,
})

export const erase = (name: string, type: string) => ({ name, type, changetype: 'DELETE' })

export const patch = (zone: string, ...rrsets: object[]): Step => ({
  method: 'PATCH',
  path: zonePath(zone),
  body: { rrsets },
})

/** A read of one RRset, which is quicker to compare than the zone. */
export const getSet = (zone: string, name: string, type: string): Step =>
  get(zonePath(zone, `?rrset_name=${name}&rrset_type=${type}`))
