import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { readAddresses } from './addresses.ts'
import { sendFailure, toLines, type Result } from './answers.ts'
import { MAX_HOSTS, readHost, splitHosts, type Host } from './hosts.ts'
import { UpdateQuery } from './schemas.ts'
import { updateHosts } from './service.ts'
import { addressOf } from '../../../plugins/security/addresses.ts'

const TEXT = 'text/plain; charset=utf-8'

const plainText = (description: string, example: string) => ({
  description,
  content: { 'text/plain': { schema: Type.String({ examples: [example] }) } },
})

/** Such as `system`, `wildcard`, `mx`, `backmx` and `offline` of the protocol's first servers. */
const IGNORES = 'routers send parameters of other dyndns2 services'

/** The update protocol of routers (dyndns2). */
export const dyndnsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  // The second is the same, for clients that have it built in.
  for (const [path, operationId] of [
    ['/nic/update', 'updateAddresses'],
    ['/v3/update', 'updateAddressesV3'],
  ] as const) {
    app.get(
      path,
      {
        config: {
          access: 'api',
          permission: 'ddns:update',
          basic: true,
          origin: 'ddns',
          ignoresUnknown: IGNORES,
        },
        // It changes something, whatever its method says.
        exposeHeadRoute: false,
        errorHandler: sendFailure,
        schema: {
          operationId,
          tags: ['Dynamic DNS'],
          summary: 'Set the addresses of hosts, as clients of dyndns2 do',
          description:
            'One line for each host: `good` or `nochg` with its addresses, `nohost` (none that the token may change), `notfqdn`, `dnserr` (not to be changed so, such as below a delegation, or with an address that no host has; or two domains could be meant, which are named) or `911` (try again later); one line alone for `numhost` (over 20 hosts), `badauth` and `abuse`. All hosts of a domain are one change. No DNS host is called for what is so already. The user name is that of the owner of the token, the password the token.',
          querystring: UpdateQuery,
          response: { 200: plainText('The results', 'good 192.0.2.1\n') },
        },
      },
      async (request, reply) => {
        const { hostname = [], myip = '', myipv6 = '', ip6lanprefix = '' } = request.query
        const names = splitHosts(hostname)
        const given = [myip, myipv6, ip6lanprefix].flatMap((text) => text.split(','))
        const addresses = readAddresses(given, addressOf(request))
        const hosts = names.map(readHost)
        reply.type(TEXT)
        if (names.length === 0) return 'notfqdn\n'
        if (names.length > MAX_HOSTS) return 'numhost\n'
        if (addresses === null) return toLines(names.map(() => ({ code: 'dnserr' })))
        const known = hosts.filter((host): host is Host => host !== null)
        const results = (await updateHosts(app, callerOf(request), known, addresses)).values()
        const notFull: Result = { code: 'notfqdn' }
        return toLines(hosts.map((host) => (host === null ? notFull : (results.next().value as Result))))
      },
    )
  }

  app.get(
    '/nic/checkip',
    {
      config: { access: 'public', ignoresUnknown: IGNORES },
      schema: {
        operationId: 'showAddress',
        tags: ['Dynamic DNS'],
        summary: "The caller's own address, for clients that have to ask for it",
        description: 'As the service sees it, behind a proxy that it trusts.',
        response: { 200: plainText('The address', '192.0.2.1\n') },
      },
    },
    (request, reply) => {
      reply.type(TEXT)
      return `${addressOf(request)}\n`
    },
  )
}
