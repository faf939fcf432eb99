import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { refused } from './errors.ts'
import { exportZone } from './exports.ts'
import { hidden, MAX_SETTINGS_BYTES, rule, sendJson, writeJson, type ZoneRequest } from './rules.ts'
import type { Signing } from './provider-state.ts'
import { zoneOfId } from './zone-ids.ts'
import { addKey, changeZone, listKeys, readKey } from './zone-settings.ts'

/** Kinds of metadata that a zone of PowerDNS may have; all are empty here but one. */
const METADATA: ReadonlySet<string> = new Set(
  (
    'ALLOW-AXFR-FROM ALLOW-DNSUPDATE-FROM ALSO-NOTIFY AXFR-MASTER-TSIG AXFR-SOURCE FORWARD-DNSUPDATE ' +
    'GSS-ACCEPTOR-PRINCIPAL GSS-ALLOW-AXFR-PRINCIPAL IXFR LUA-AXFR-SCRIPT NOTIFY-DNSUPDATE PUBLISH-CDNSKEY ' +
    'PUBLISH-CDS SLAVE-RENOTIFY SOA-EDIT-DNSUPDATE TSIG-ALLOW-AXFR TSIG-ALLOW-DNSUPDATE'
  ).split(' '),
)

/** What a zone can do besides its records. */
export const zoneRoutes: FastifyPluginAsync<{ signing: Signing }> = async (app, { signing }) => {
  const zoneOf = (request: FastifyRequest<ZoneRequest>) =>
    zoneOfId(app.db, callerOf(request), request.params.zone)

  app.put<ZoneRequest>('', {
    ...hidden,
    config: rule('domains:write'),
    bodyLimit: MAX_SETTINGS_BYTES,
    handler: async (request, reply) => {
      await changeZone(app, callerOf(request), await zoneOf(request), request.body, signing)
      return reply.code(204).send(null)
    },
  })

  // Clients send it after each change, and some fail without it.
  app.put<ZoneRequest>('/notify', {
    ...hidden,
    config: rule('records:write'),
    handler: async (request) => {
      await zoneOf(request)
      return { result: 'Nothing to do: the DNS provider notifies its secondary servers itself' }
    },
  })

  app.put<ZoneRequest>('/rectify', {
    ...hidden,
    config: rule('records:write'),
    handler: async (request) => {
      await zoneOf(request)
      return { result: 'Nothing to do: the DNS provider keeps its zones rectified itself' }
    },
  })

  app.put<ZoneRequest>('/axfr-retrieve', {
    ...hidden,
    config: rule('records:write'),
    handler: async (request) => {
      const { name } = await zoneOf(request)
      throw refused(`Domain '${name}.' is not a slave domain (or has no master defined)`)
    },
  })

  app.get<ZoneRequest>('/export', {
    ...hidden,
    config: { ...rule('records:read'), concurrencyLimit: true },
    handler: async (request, reply: FastifyReply) => {
      const text = await exportZone(app, callerOf(request), await zoneOf(request))
      const isJson = /\bjson\b/i.test(request.headers.accept ?? '')
      if (isJson) return sendJson(reply, writeJson({ zone: text }))
      return reply.type('text/plain; charset=us-ascii').send(text)
    },
  })

  app.get<ZoneRequest>('/metadata', {
    ...hidden,
    config: rule('domains:read'),
    handler: async (request) => {
      await zoneOf(request)
      return [{ kind: 'SOA-EDIT-API', metadata: ['DEFAULT'], type: 'Metadata' }]
    },
  })

  app.get<ZoneRequest & { Params: { kind: string } }>('/metadata/:kind', {
    ...hidden,
    config: rule('domains:read'),
    handler: async (request) => {
      await zoneOf(request)
      const { kind } = request.params
      if (!METADATA.has(kind) && !kind.startsWith('X-')) throw refused(`Unsupported metadata kind '${kind}'`)
      return { kind, metadata: [], type: 'Metadata' }
    },
  })

  app.route<ZoneRequest>({
    ...hidden,
    method: ['POST', 'PUT', 'DELETE'],
    url: '/metadata/:kind?',
    config: rule('domains:write'),
    bodyLimit: MAX_SETTINGS_BYTES,
    handler: async (request) => {
      await zoneOf(request)
      throw refused('Zones have no metadata of PowerDNS here; nothing was stored')
    },
  })

  app.get<ZoneRequest>('/cryptokeys', {
    ...hidden,
    config: rule('domains:read'),
    handler: async (request) => listKeys(app, callerOf(request), await zoneOf(request)),
  })

  app.get<ZoneRequest & { Params: { key: string } }>('/cryptokeys/:key', {
    ...hidden,
    config: rule('domains:read'),
    handler: async (request) => readKey(app, callerOf(request), await zoneOf(request), request.params.key),
  })

  app.post<ZoneRequest>('/cryptokeys', {
    ...hidden,
    config: rule('domains:write'),
    bodyLimit: MAX_SETTINGS_BYTES,
    handler: async (request, reply) => {
      const key = await addKey(app, callerOf(request), await zoneOf(request), request.body, signing)
      return reply.code(201).send(key)
    },
  })

  app.route<ZoneRequest>({
    ...hidden,
    method: ['PUT', 'DELETE'],
    url: '/cryptokeys/:key',
    config: rule('domains:write'),
    bodyLimit: MAX_SETTINGS_BYTES,
    handler: async (request) => {
      await zoneOf(request)
      throw refused(
        'The DNS provider manages its keys; end signing with PUT of the zone and {"dnssec": false}, after the DS is gone from the parent zone',
      )
    },
  })
}
