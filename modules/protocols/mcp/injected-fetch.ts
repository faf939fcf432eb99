import type { FastifyInstance } from 'fastify'

/**
 * Returns a `fetch` that calls this service from within, on behalf of a client address. Calls pass everything that outside
 * requests do: access rules, limits, validation and logging.
 */
export function injectedFetch(app: FastifyInstance, remoteAddress: string): typeof fetch {
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
