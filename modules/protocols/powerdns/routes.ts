import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { readJson } from '../../../plugins/http/bodies.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { removeDomain } from '../../domains/service.ts'
import { missing, sendError, sendFault } from './errors.ts'
import { createZone } from './new-zones.ts'
import { readRRsets } from './rrset-body.ts'
import { changeRRsets } from './rrset-changes.ts'
import {
  flag,
  hidden,
  MAX_BYTES,
  param,
  rule,
  sendJson,
  writeJson,
  type Query,
  type ZoneRequest,
} from './rules.ts'
import { searchData } from './search.ts'
import { createSigning, newSerial } from './provider-state.ts'
import { zoneIdOf, zoneOfId } from './zone-ids.ts'
import { SERVER_PATH } from './zone-view.ts'
import { zoneRoutes } from './zone-routes.ts'
import { listZones, readZone, requireZoneVersion, showZone } from './zones.ts'

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

/** The HTTP API of the PowerDNS Authoritative Server, for its clients. */
export const powerDnsRoutes: FastifyPluginAsync = async (app) => {
  // Clients send no type, or a wrong one; PowerDNS does not look at it.
  app.removeAllContentTypeParsers()
  readJson(app, '*')
  app.setErrorHandler(sendError)
  app.setReplySerializer(writeJson)
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

const serverRoutes: FastifyPluginAsync = async (app) => {
  app.addHook<{ Params: { server?: string } }>('preHandler', async ({ params }) => {
    if (params.server !== 'localhost') throw missing()
  })

  const signing = createSigning()
  app.get('', { ...hidden, config: rule(null) }, async () => SERVER)

  app.get<{ Querystring: Query }>('/search-data', {
    ...hidden,
    config: { ...rule('records:read'), concurrencyLimit: true },
    handler: async (request) => searchData(app, callerOf(request), request.query),
  })

  // Clients look for settings and keys there; none exist.
  for (const list of ['/config', '/tsigkeys', '/autoprimaries'])
    app.get(list, { ...hidden, config: rule(null) }, async () => [])

  // Clients ask for it after changes.
  app.put('/cache/flush', { ...hidden, config: rule(null) }, async () => ({
    count: 0,
    result: 'Nothing to do: no answers are cached here',
  }))

  await app.register(zoneRoutes, { prefix: '/zones/:zone', signing })

  app.get<ZoneRequest>('/zones', {
    ...hidden,
    config: { ...rule('domains:read'), concurrencyLimit: true },
    handler: async (request, reply) => {
      const { query } = request
      const isBrief = !flag(query, 'dnssec', true)
      return sendJson(
        reply,
        await listZones(app, callerOf(request), { zone: param(query, 'zone'), isBrief, signing }),
      )
    },
  })

  app.post<ZoneRequest>('/zones', {
    ...hidden,
    config: { ...rule('domains:write'), ofAccount: true },
    bodyLimit: MAX_BYTES,
    handler: async (request, reply) => {
      const rrsets = flag(request.query, 'rrsets', true)
      const caller = callerOf(request)
      const zone = await createZone(app, caller, request.body)
      reply.code(201).header('location', `${SERVER_PATH}/zones/${zoneIdOf(zone.name)}`)
      const { text } = await showZone(app, caller, zone, { rrsets, includeDisabled: true, signing })
      return sendJson(reply, text)
    },
  })

  app.get<ZoneRequest>('/zones/:zone', {
    ...hidden,
    config: { ...rule('records:read'), concurrencyLimit: true },
    handler: async (request, reply) => {
      const { query, params } = request
      const { text, version } = await readZone(app, callerOf(request), params.zone, {
        rrsets: flag(query, 'rrsets', true),
        includeDisabled: flag(query, 'include_disabled', true),
        rrsetName: param(query, 'rrset_name'),
        rrsetType: param(query, 'rrset_type'),
        signing,
      })
      // If-Match compares the version; the hash distinguishes parts of the zone, and callers with different permissions.
      const tag = `"${version}.${hash('sha256', text, 'base64url').slice(0, 16)}"`
      return sendJson(reply.header('etag', tag), text)
    },
  })

  app.patch<ZoneRequest>('/zones/:zone', {
    ...hidden,
    config: { ...rule('records:write'), ifMatch: true },
    bodyLimit: MAX_BYTES,
    handler: async (request, reply) => {
      const { ifMatch, ...caller } = callerOf(request)
      const zone = await zoneOfId(app.db, caller, request.params.zone)
      const ifVersions = versionsIn(ifMatch)
      if (ifVersions) await requireZoneVersion(app, caller, zone, ifVersions)
      const rrsets = readRRsets(request.body, zone.name)
      const { isChanged } = await changeRRsets(app, caller, zone, rrsets, { ifVersions })
      const before = zone.soa?.serial ?? null
      const after = isChanged ? await newSerial(app, zone) : before
      if (before !== null) reply.header('x-pdns-old-serial', before)
      if (after !== null) reply.header('x-pdns-new-serial', after)
      return reply.code(204).send(null)
    },
  })

  app.delete<ZoneRequest>('/zones/:zone', {
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

/** Returns the versions in `If-Match`; tags of other resources match none. */
const versionsIn = (ifMatch: string | undefined): number[] | undefined =>
  ifMatch?.split(',').map((tag) => Number(/^\s*(?:W\/)?"([0-9]{1,10})\./.exec(tag)?.[1] ?? -1))

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
