import type { RouteOptions } from 'fastify'
import fp from 'fastify-plugin'

/**
 * Answers with the success status that the route's schema declares, such as 201 or 204, so that handlers don't
 * repeat it. With several such statuses, the handler decides.
 */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const [status, ...others] = successesOf(route)
      if (status === undefined || status === 200 || others.length > 0) return
      route.preHandler = [
        ...[route.preHandler ?? []].flat(),
        (_request, reply, done) => {
          reply.code(status)
          done()
        },
      ]
    })
  },
  { name: 'success-status' },
)

const successesOf = ({ schema }: RouteOptions): number[] =>
  Object.keys(schema?.response ?? {})
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
