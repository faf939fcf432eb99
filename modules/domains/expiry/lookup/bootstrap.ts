import { readFileSync } from 'node:fs'
import type { Http, HttpResponse } from '../../../../plugins/outbound/http.ts'
import { EXTRA_SERVERS } from './extra-servers.ts'

/** IANA's list of RDAP servers (RFC 9224). */
interface Bootstrap {
  /** RDAP base URL of a domain (A-labels, lower case), with a final slash; null: its registry has no RDAP. */
  baseOf(domain: string): Promise<string | null>
}

interface BootstrapOptions {
  http: Http
  url: string
  report: (error: unknown) => void
}

/** Suffix ("" is the root) to the base address. */
type Servers = Map<string, string>

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
/** Minimum caching time, even if the response forbids caching. */
const MIN_AGE_MS = HOUR_MS
const MAX_AGE_MS = 7 * DAY_MS
const TIMEOUT_MS = 5_000

/** Bundled copy, used until a list has been downloaded. */
export function createBootstrap({ http, url, report }: BootstrapOptions): Bootstrap {
  let servers: Servers | null = null
  let freshUntil = 0
  let etag: string | null = null
  let refreshing: Promise<void> | null = null

  async function refresh(): Promise<void> {
    try {
      const answer = await http.request({
        method: 'GET',
        url,
        headers: { accept: 'application/json', ...(etag !== null && { 'if-none-match': etag }) },
        timeoutMs: TIMEOUT_MS,
      })
      if (answer.status !== 304 || etag === null) {
        if (answer.status !== 200) throw new Error(`The list of RDAP servers: status ${answer.status}`)
        servers = readServers(JSON.parse(answer.body))
        etag = answer.headers['etag'] ?? null
      }
      freshUntil = Date.now() + lifetimeOf(answer)
    } catch (error) {
      report(error)
      freshUntil = Date.now() + HOUR_MS
    }
  }

  return {
    async baseOf(domain) {
      if (Date.now() >= freshUntil) {
        refreshing ??= refresh().finally(() => (refreshing = null))
        await refreshing
      }
      servers ??= readServers(shippedList())
      return longestMatch(servers, domain)
    },
  }
}

/** Published 2025-11-06. */
const shippedList = (): unknown =>
  JSON.parse(readFileSync(new URL('rdap-servers.json', import.meta.url), 'utf8'))

/** Parses a list and adds missing servers. Throws if it does not follow RFC 9224. */
export function readServers(list: unknown): Servers {
  const services = (list as { services?: unknown } | null)?.services
  if (!Array.isArray(services) || services.length === 0) throw malformed('has no services')
  const servers: Servers = new Map()
  for (const service of services as unknown[]) {
    const [suffixes, urls] = Array.isArray(service) ? (service as unknown[]) : []
    if (!isTexts(suffixes) || !isTexts(urls)) throw malformed('has an entry that is not valid')
    const base = bestBase(urls)
    if (base !== null) for (const suffix of suffixes) servers.set(suffix.toLowerCase(), base)
  }
  for (const [suffix, base] of Object.entries(EXTRA_SERVERS)) {
    if (!servers.has(suffix)) servers.set(suffix, base)
  }
  return servers
}

const malformed = (what: string) => new Error(`The list of RDAP servers ${what}`)

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')

/** Prefers https to http; other schemes are unusable. */
function bestBase(urls: string[]): string | null {
  const best =
    urls.find((url) => /^https:\/\//i.test(url) && URL.canParse(url)) ??
    urls.find((url) => /^http:\/\//i.test(url) && URL.canParse(url))
  if (best === undefined) return null
  return best.endsWith('/') ? best : `${best}/`
}

function longestMatch(servers: Servers, domain: string): string | null {
  const labels = domain.split('.')
  for (let skipped = 1; skipped <= labels.length; skipped++) {
    const base = servers.get(labels.slice(skipped).join('.'))
    if (base !== undefined) return base
  }
  return null
}

/** Caching time by the response headers; a day by default. */
function lifetimeOf({ headers }: HttpResponse): number {
  const control = headers['cache-control'] ?? ''
  const maxAge = /\bmax-age=(\d+)/i.exec(control)?.[1]
  const expires = Date.parse(headers['expires'] ?? '')
  let lifetime = DAY_MS
  if (/\bno-(store|cache)\b/i.test(control)) lifetime = 0
  else if (maxAge !== undefined) lifetime = Number(maxAge) * 1000 - Number(headers['age'] ?? 0) * 1000
  else if (!Number.isNaN(expires)) lifetime = expires - Date.now()
  return Math.min(Math.max(lifetime, MIN_AGE_MS), MAX_AGE_MS)
}
