import type { Executor } from '../../../../db/connection/connect.ts'
import { registrableDomain } from '../../../../dns/names/domain-names.ts'
import type { Http } from '../../../../plugins/outbound/http.ts'
import type { Tcp } from '../../../../plugins/outbound/tcp.ts'
import { createBootstrap } from './bootstrap.ts'
import { createPacing } from './pacing.ts'
import { askRdap } from './rdap.ts'
import { LookupError, type Registration } from './registration.ts'
import { askWhois } from './whois.ts'

export interface Found extends Registration {
  /** The registrable domain that was looked up. */
  domain: string
  source: 'rdap' | 'whois'
}

/** Looks up registrations at registries. */
export interface Registries {
  /**
   * Looks up the registrable domain of a canonical name: by RDAP, or by WHOIS if the registry has no RDAP or
   * RDAP fails. Rejects with LookupError, or with the database error of the pacing.
   */
  lookUp(name: string, options?: { maxWaitMs?: number; signal?: AbortSignal }): Promise<Found>
}

export interface RegistryOptions {
  db: Executor
  http: Http
  tcp: Tcp
  bootstrapUrl: string
  whoisServer: string
  /** Milliseconds between two queries to one server. */
  spacingMs?: number | undefined
  /** Response timeout of one server, in milliseconds. */
  timeoutMs?: number
  report: (error: unknown) => void
}

/** For interactive look-ups. */
const MAX_WAIT_MS = 5_000
const TIMEOUT_MS = 8_000
/** Timeout of a whole look-up. */
const BUDGET_MS = 30_000

export function createRegistries(options: RegistryOptions): Registries {
  const { http, tcp, bootstrapUrl: url, whoisServer: startServer, report } = options
  const bootstrap = createBootstrap({ http, url, report })
  const pacing = createPacing(options.db, options.spacingMs)
  const known = new Map<string, { server: string; until: number }>()

  async function find(domain: string, maxWaitMs: number, signal: AbortSignal): Promise<Found> {
    const context = {
      http,
      tcp,
      pacing,
      startServer,
      maxWaitMs,
      known,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    }
    const base = await bootstrap.baseOf(domain)
    let failure: LookupError | null = null
    if (base !== null) {
      try {
        return { domain, source: 'rdap', ...(await askRdap(context, base, domain, signal)) }
      } catch (error) {
        // "Not registered" is a result, and a rate limit must not be bypassed through WHOIS.
        if (!(error instanceof LookupError) || error.kind !== 'unavailable') throw error
        failure = error
      }
    }
    try {
      return { domain, source: 'whois', ...(await askWhois(context, domain, signal)) }
    } catch (error) {
      throw failure && error instanceof LookupError && error.kind === 'no_server' ? failure : error
    }
  }

  return {
    async lookUp(name, { maxWaitMs = MAX_WAIT_MS, signal } = {}) {
      const domain = registrableDomain(name)
      const budget = AbortSignal.timeout(BUDGET_MS + maxWaitMs)
      try {
        return await find(domain, maxWaitMs, signal ? AbortSignal.any([signal, budget]) : budget)
      } catch (error) {
        if (error instanceof LookupError) throw error
        if (budget.aborted || signal?.aborted) {
          throw new LookupError('unavailable', `The lookup of ${domain} timed out`, error)
        }
        throw error
      }
    },
  }
}
