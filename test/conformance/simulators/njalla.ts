import { randomBytes } from 'node:crypto'
import { isBody, json, orRefused, parse, textOf, type Body } from './answers.ts'
import { NjallaDomain, failure, invalid } from './njalla-domain.ts'
import { startServer, type FakeAnswer, type FakeRequest, type FakeServer } from './server.ts'

export interface FakeNjalla extends FakeServer {
  /** The address of the API. */
  apiUrl: string
  apiToken: string
  /** May only look. */
  readToken: string
  createDomain(name: string): NjallaDomain
  deleteDomain(name: string): void
}

const PATH = '/api/1/'

/** Njalla's API over a socket. */
export async function startFakeNjalla(): Promise<FakeNjalla> {
  const api = new Api()
  const server = await startServer(
    (request) => orRefused(() => api.answer(request)),
    ({ body }) => /"method"\s*:\s*"(add|edit|remove)-/.test(body),
  )
  return {
    ...server,
    apiUrl: `${server.url}${PATH}`,
    apiToken: api.apiToken,
    readToken: api.readToken,
    createDomain: (name) => {
      const domain = new NjallaDomain(name)
      api.domains.set(name, domain)
      return domain
    },
    deleteDomain: (name) => void api.domains.delete(name),
  }
}

export const invalidToken = () => failure(403, 'Invalid token.')
export const forbidden = () => failure(403, 'Permission denied.')

const newToken = () => randomBytes(20).toString('hex')

class Api {
  readonly domains = new Map<string, NjallaDomain>()
  readonly apiToken = newToken()
  readonly readToken = newToken()

  answer(request: FakeRequest): FakeAnswer {
    if (request.path !== PATH) return { status: 404 }
    if (request.method !== 'POST') return { status: 405 }
    const [, token = ''] = /^Njalla (\S+)$/.exec(String(request.headers['authorization'])) ?? []
    if (token !== this.apiToken && token !== this.readToken) throw invalidToken()
    const call = parse(request, invalid('Invalid JSON').answer)
    const { method, params, id } = isBody(call) ? call : {}
    const run = this.#methods[textOf(method)]
    if (run === undefined) throw failure(404, 'Unknown method')
    if (token === this.readToken && !/^(list|get)-/.test(textOf(method))) throw forbidden()
    const result = run(isBody(params) ? params : {})
    return json(200, { jsonrpc: '2.0', ...(id !== undefined && { id }), result })
  }

  #domain({ domain }: Body): NjallaDomain {
    if (domain === undefined || domain === '') throw invalid('missing domain')
    const found = this.domains.get(textOf(domain))
    if (found === undefined) throw failure(404, 'Domain not found')
    return found
  }

  readonly #methods: Record<string, (params: Body) => object> = {
    'list-domains': () => ({ domains: [...this.domains.keys()].map(shown) }),
    'get-domain': (params) => ({ ...shown(this.#domain(params).name), ...MORE }),
    'list-records': (params) => ({ records: this.#domain(params).records }),
    'add-record': (params) => this.#domain(params).add(params),
    'edit-record': (params) => this.#domain(params).edit(params),
    'remove-record': (params) => {
      this.#domain(params).remove(params)
      return {}
    },
  }
}

const shown = (name: string) => ({ name, status: 'active', expiry: '2030-02-20T19:38:48Z' })
const MORE = { locked: true, mailforwarding: false, max_nameservers: 10 }
