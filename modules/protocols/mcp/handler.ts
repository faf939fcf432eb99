import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createServer } from '../../../clients/mcp/tool-server.ts'
import { createClient } from '../../../clients/typescript/index.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { injectedFetch } from './injected-fetch.ts'
import { addressOf } from '../../../plugins/security/addresses.ts'

export interface McpHandler {
  /** The answer to a request of the protocol that comes with that token. */
  answer: (request: FastifyRequest, token: string) => Promise<Response>
  close: () => Promise<void>
}

/** Calls by it stay inside: the name is never looked up. */
const URL_INSIDE = 'http://localhost'

/** Answers each request by a server of its own. `report`: what was refused, or went wrong beside an answer. */
export function createHandler(app: FastifyInstance, report: (error: Error) => void): McpHandler {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { token = '', extra = {} } = authInfo ?? {}
      // Not repeated: who waits is the assistant, which is told when to come again.
      const client = createClient({
        url: URL_INSIDE,
        token,
        client: 'mcp',
        fetch: injectedFetch(app, String(extra['ip'])),
        retries: 0,
      })
      return createServer(client, packageJson.version)
    },
    // The tools are always the same: there is nothing to subscribe to.
    { maxSubscriptions: 0, onerror: report },
  )
  return {
    answer: (request, token) =>
      handler.fetch(toWebRequest(request), {
        parsedBody: request.body,
        authInfo: { token, clientId: '', scopes: [], extra: { ip: addressOf(request) } },
      }),
    close: () => handler.close(),
  }
}

/** Without its body, which was read, and without its token. */
function toWebRequest({ headers, method, url }: FastifyRequest): Request {
  const said = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'authorization' ? [[name, value]] : [],
  )
  return new Request(URL_INSIDE + url, { method, headers: said })
}
