import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createServer } from '../../../clients/mcp/tool-server.ts'
import { createClient } from '../../../clients/typescript/index.ts'
import packageJson from '../../../package.json' with { type: 'json' }
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

/**
 * Returns a `fetch` that calls this service from within, on behalf of a client address. Calls pass everything that outside
 * requests do: access rules, limits, validation and logging.
 */
function injectedFetch(app: FastifyInstance, remoteAddress: string): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const { statusCode, headers, rawPayload } = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      remoteAddress,
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const said = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
    )
    return new Response(rawPayload.length > 0 ? rawPayload : null, { status: statusCode, headers: said })
  }
}
