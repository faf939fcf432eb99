import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { OFFLINE, readAddresses } from './addresses.ts'
import { sendFailure, toLines, type HostResult } from './answers.ts'
import { MAX_HOSTS, readHost, splitHosts, type Host } from './hosts.ts'
import { UpdateQuery } from './schemas.ts'
import { updateHosts } from './service.ts'
import { addressOf } from '../../../plugins/security/addresses.ts'

const TEXT = 'text/plain; charset=utf-8'

const plainText = (description: string, example: string) => ({
  description,
  content: { 'text/plain': { schema: Type.String({ examples: [example] }) } },
})

/** Such as `system`, `wildcard`, `mx` and `backmx` of older servers. */
const IGNORES = 'routers send parameters of other dyndns2 services'

/** The update protocol of routers, dyndns2. */
export const dyndnsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // The second path is built into some clients.
  for (const [path, operationId] of [
    ['/nic/update', 'updateAddresses'],
    ['/v3/update', 'updateAddressesV3'],
  ] as const) {
    app.get(path, {
      config: {
        access: 'api',
        permission: 'ddns:update',
        basic: true,
        passwordInQuery: true,
        origin: 'ddns',
        ignoresUnknown: IGNORES,
      },
      // A GET that writes.
      exposeHeadRoute: false,
      errorHandler: sendFailure,
      schema: {
        operationId,
        tags: ['Dynamic DNS'],
        summary: 'Update the addresses of hosts (dyndns2)',
        description:
          'Returns one line per host: `good` or `nochg` with the addresses, `nohost` (not a host the token may change), `notfqdn`, `dnserr` (cannot be changed, for example below a delegation, with an address no host can have, or because two domains match, which are named) or `911` (try again later). A single line is returned for `numhost` (more than 20 hosts), `badauth` and `abuse`. All hosts of a domain are one change. The DNS provider is not called if nothing changes. With `offline=YES` the hosts lose their addresses. The user name is the owner of the token; the password is the token.',
        querystring: UpdateQuery,
        response: { 200: plainText('The results', 'good 192.0.2.1\n') },
      },
      handler: async (request, reply) => {
        const { hostname = [], offline = '' } = request.query
        const names = splitHosts(hostname)
        const addresses = /^yes$/i.test(offline) ? OFFLINE : readAddresses(request.query, addressOf(request))
        const hosts = names.map(readHost)
        reply.type(TEXT)
        if (names.length === 0) return 'notfqdn\n'
        if (names.length > MAX_HOSTS) return 'numhost\n'
        if (addresses === null) return toLines(names.map(() => ({ code: 'dnserr' })))
        const known = hosts.filter((host): host is Host => host !== null)
        const results = (await updateHosts(app, callerOf(request), known, addresses)).values()
        const notFull: HostResult = { code: 'notfqdn' }
        return toLines(hosts.map((host) => (host === null ? notFull : (results.next().value as HostResult))))
      },
    })
  }

  app.get('/nic/checkip', {
    config: { access: 'public', ignoresUnknown: IGNORES },
    schema: {
      operationId: 'showAddress',
      tags: ['Dynamic DNS'],
      summary: "Return the caller's address",
      description: 'The address as seen by the service, or as forwarded by a trusted proxy.',
      response: { 200: plainText('The address', '192.0.2.1\n') },
    },
    handler: (request, reply) => {
      reply.type(TEXT)
      return `${addressOf(request)}\n`
    },
  })
}
