import type { FastifyInstance } from 'fastify'
import { call, type Answer } from '../helpers/app.ts'

export const SERVER = '/api/v1/servers/localhost'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RRset {
  name: string
  type: string
  ttl?: number | undefined
  changetype?: string | undefined
  records?: { content: string; disabled?: boolean }[]
  comments?: { content: string; account?: string; modified_at?: number }[]
}

/** A client of the API of PowerDNS: paths below its server, and the key. */
export class PowerDnsClient {
  readonly app: FastifyInstance
  readonly key: string

  constructor(app: FastifyInstance, key: string) {
    this.app = app
    this.key = key
  }

  async ask(method: Method, path: string, body?: unknown): Promise<Answer> {
    return call(this.app, {
      method,
      url: `${SERVER}${path}`,
      headers: { 'x-api-key': this.key },
      ...(body !== undefined && { payload: body as object }),
    })
  }

  patch(zone: string, ...rrsets: RRset[]): Promise<Answer> {
    return this.ask('PATCH', `/zones/${zone}`, { rrsets })
  }

  /** The RRsets of a name, or of the zone, without the SOA. */
  async rrsets(zone: string, name?: string): Promise<RRset[]> {
    const { body } = await this.ask('GET', `/zones/${zone}${name === undefined ? '' : `?rrset_name=${name}`}`)
    return (body.rrsets as RRset[]).filter(({ type }) => type !== 'SOA')
  }
}

/** An RRset to replace. */
export const replaced = (name: string, type: string, contents: string[], more: object = {}): RRset => ({
  name,
  type,
  ttl: 300,
  changetype: 'REPLACE',
  records: contents.map((content) => ({ content, disabled: false })),
  ...more,
})
