import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { readJson } from '../../../plugins/http/bodies.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Permission } from '../../../schemas/people/permission.ts'
import { removeDomain } from '../../domains/service.ts'
import { missing, refused, sendError, sendFault } from './errors.ts'
import { createZone } from './new-zones.ts'
import { readRRsets } from './rrset-body.ts'
import { changeRRsets } from './rrset-changes.ts'
import { zoneIdOf, zoneOfId } from './zone-ids.ts'
import { SERVER_PATH } from './zone-view.ts'
import { listZones, readZone, zoneJson } from './zones.ts'

/** The most that PowerDNS accepts by default. */
const MAX_BYTES = 2 * 1024 * 1024

/** The version whose API this is: the first of 4.9 with EXTEND and PRUNE. */
const VERSION = '4.9.12'

const SERVER = {
  autoprimaries_url: `${SERVER_PATH}/autoprimaries{/autoprimary}`,
  config_url: `${SERVER_PATH}/config{/config_setting}`,
  daemon_type: 'authoritative',
  id: 'localhost',
  type: 'Server',
  url: SERVER_PATH,
  version: VERSION,
  zones_url: `${SERVER_PATH}/zones{/zone}`,
}

/** PowerDNS describes its own API, so it is not part of our description. */
const hidden = { schema: { hide: true } } as const

const rule = (permission: Permission | null) =>
  ({ access: 'api', permission, apiKey: true, origin: 'powerdns-api' }) as const

type Query = Readonly<Record<string, string | undefined>>

/** Returns a parameter that is `true` or `false`. Throws a 422. */
function flag(query: Query, name: string, usual: boolean): boolean {
  const value = query[name]
  if (value === undefined) return usual
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw refused(`'${name}' request parameter value '${value.slice(0, 100)}' is not supported`)
}

const json = (reply: FastifyReply, text: string) => reply.type('application/json').send(text)

/** The HTTP API of the PowerDNS Authoritative Server, for its clients. */
export const powerDnsRoutes: FastifyPluginAsync = async (app) => {
  // Clients send no type, or a wrong one; PowerDNS does not look at it.
  app.removeAllContentTypeParsers()
  readJson(app, '*')
  app.setErrorHandler(sendError)
  const isKnown = watchPaths(app)

  app.get('/api', { ...hidden, config: rule(null) }, async () => [{ url: '/api/v1', version: 1 }])
  app.get('/api/v1', { ...hidden, config: rule(null) }, async () => [
    { api_features: [], server_url: '/api/v1/servers{/server}' },
  ])
  app.get('/api/v1/servers', { ...hidden, config: rule(null) }, async () => [SERVER])

  await app.register(serverRoutes, { prefix: '/api/v1/servers/:server' })

  app.route({
    ...hidden,
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/v1/servers/*',
    config: rule(null),
    handler: async ({ url }, reply) =>
      isKnown(url) ? sendFault(reply, 405, 'Method Not Allowed') : sendFault(reply, 404, 'Not Found'),
  })
}

type Params = { Params: { zone: string }; Querystring: Query }

const serverRoutes: FastifyPluginAsync = async (app) => {
  app.addHook<{ Params: { server?: string } }>('preHandler', async ({ params }) => {
    if (params.server !== 'localhost') throw missing()
  })

  app.get('', { ...hidden, config: rule(null) }, async () => SERVER)

  app.get<Params>('/zones', {
    ...hidden,
    config: { ...rule('domains:read'), concurrencyLimit: true },
    handler: async (request, reply) => {
      const { query } = request
      const isBrief = !flag(query, 'dnssec', true)
      return json(reply, await listZones(app, callerOf(request), { zone: query['zone'], isBrief }))
    },
  })

  app.post<Params>('/zones', {
    ...hidden,
    config: rule('domains:write'),
    bodyLimit: MAX_BYTES,
    handler: async (request, reply) => {
      const rrsets = flag(request.query, 'rrsets', true)
      const caller = callerOf(request)
      const zone = await createZone(app, caller, request.body)
      reply.code(201).header('location', `${SERVER_PATH}/zones/${zoneIdOf(zone.name)}`)
      return json(reply, await zoneJson(app, caller, zone, { rrsets, includeDisabled: true }))
    },
  })

  app.get<Params>('/zones/:zone', {
    ...hidden,
    config: { ...rule('records:read'), concurrencyLimit: true },
    handler: async (request, reply) => {
      const { query, params } = request
      const text = await readZone(app, callerOf(request), params.zone, {
        rrsets: flag(query, 'rrsets', true),
        includeDisabled: flag(query, 'include_disabled', true),
        rrsetName: query['rrset_name'],
        rrsetType: query['rrset_type'],
      })
      return json(reply, text)
    },
  })

  app.patch<Params>('/zones/:zone', {
    ...hidden,
    config: rule('records:write'),
    bodyLimit: MAX_BYTES,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const zone = await zoneOfId(app.db, caller, request.params.zone)
      await changeRRsets(app, caller, zone, readRRsets(request.body, zone.name))
      return reply.code(204).send(null)
    },
  })

  app.delete<Params>('/zones/:zone', {
    ...hidden,
    config: rule('domains:write'),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { id } = await zoneOfId(app.db, caller, request.params.zone)
      await removeDomain(app, caller, id, { deleteZone: true })
      return reply.code(204).send(null)
    },
  })
}

/** Tells whether a path has a route for another method than that one. */
function watchPaths(app: FastifyInstance): (url: string) => boolean {
  const patterns = new Set<string>()
  app.addHook('onRoute', ({ url }) => {
    if (!url.endsWith('*')) patterns.add(url)
  })
  return (url) => {
    const path = url.split('?', 1)[0]?.replace(/\/$/, '').split('/') ?? []
    return [...patterns].some((pattern) => {
      const parts = pattern.split('/')
      return (
        parts.length === path.length && parts.every((part, at) => part.startsWith(':') || part === path[at])
      )
    })
  }
}
