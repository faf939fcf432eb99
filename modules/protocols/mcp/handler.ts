import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createServer } from '../../../clients/mcp/tool-server.ts'
import { createClient } from '../../../clients/typescript/index.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { injectedFetch } from './injected-fetch.ts'
import { addressOf } from '../../../plugins/security/addresses.ts'

export interface McpHandler {
  /** Answers an MCP request on behalf of the token. */
  answer: (request: FastifyRequest, token: string) => Promise<Response>
  close: () => Promise<void>
}

/** Base URL of calls that stay inside the process; the name is never resolved. */
const URL_INSIDE = 'http://localhost'

/** Answers each request with its own MCP server. `report` is called for refused requests and internal errors. */
export function createHandler(app: FastifyInstance, report: (error: Error) => void): McpHandler {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { token = '', extra = {} } = authInfo ?? {}
      // No retries: the assistant gets the time to try again.
      const client = createClient({
        url: URL_INSIDE,
        token,
        client: 'mcp',
        fetch: injectedFetch(app, String(extra['ip'])),
        retries: 0,
      })
      return createServer(client, packageJson.version)
    },
    // The tools never change, so there is nothing to subscribe to.
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

/** Converts a request, without its token and its body, which is parsed already. */
function toWebRequest({ headers, method, url }: FastifyRequest): Request {
  const said = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'authorization' ? [[name, value]] : [],
  )
  return new Request(URL_INSIDE + url, { method, headers: said })
}
