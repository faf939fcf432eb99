import { relativeName } from '../../dns/names/names.ts'
import { rrsetKey } from '../../dns/names/rrset.ts'
import { readType, typeOf } from '../../dns/types/index.ts'
import rfc2136 from '../../modules/providers/adapters/rfc2136/index.ts'
import type { RRset } from '../../modules/providers/contract.ts'
import { sorted, type Subject } from '../conformance/suite/subject.ts'
import type { NameServer, ServerKey } from './name-servers.ts'

/** As they are stored in a configuration. */
export const credentialsOf = ({ port }: NameServer, key: ServerKey, zones = ''): Record<string, string> => ({
  server: '127.0.0.1',
  port: String(port),
  keyName: key.name,
  algorithm: key.algorithm,
  secret: key.secret,
  zones,
})

/** What a transfer shows, line by line, without the SOA. */
async function transfer(server: NameServer, zone: string): Promise<string[]> {
  const { algorithm, name, secret } = server.keyOf('all')
  const options = ['-y', `${algorithm}:${name}:${secret}`, '+noall', '+answer', '+onesoa']
  const lines = (await server.dig(...options, zone, 'AXFR')).split('\n')
  return lines.filter((line) => line !== '' && !/\sIN\sSOA\s/.test(line) && !line.startsWith(';'))
}

/** Subjects of the conformance suite, each with a zone of the server that no other has. */
export function subjectsOf(server: NameServer): () => Promise<Subject> {
  const free = server.zones.slice(0, -1)
  return async () => {
    const zone = free.pop()
    if (zone === undefined) throw new Error('The server needs more zones')
    const credentials = credentialsOf(server, server.keyOf('all'), zone)
    return {
      provider: rfc2136,
      credentials,
      badCredentials: { ...credentials, secret: Buffer.from('a wrong secret').toString('base64') },
      zoneName: zone,
      missingZone: { id: 'missing.test', name: 'missing.test' },
      seed: (rrsets) => seed(server, zone, rrsets),
      dump: async () => parse(await transfer(server, zone), zone),
      foreign: async () => {
        await server.nsupdate([
          `update add foreign.${zone}. 3600 A 192.0.2.1`,
          `update add cell.${zone}. 600 HIP 2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc Rvs.example.net.`,
          `update add foreign.${zone}. 600 SSHFP 4 2 ${'cd'.repeat(32)}`,
          `update add foreign.${zone}. 600 TYPE65280 \\# 3 0a0b0c`,
        ])
        return async () => (await transfer(server, zone)).sort()
      },
      close: async () => undefined,
    }
  }
}

// Below the 65,535 bytes of a message.
const LINES = 100

async function seed(server: NameServer, zone: string, rrsets: RRset[]): Promise<void> {
  const lines = rrsets.flatMap(({ name, type, ttl, members }) =>
    members.map(({ value }) => {
      const owner = name === '@' ? `${zone}.` : `${name}.${zone}.`
      return `update add ${owner} ${ttl} ${type} ${typeOf(type).write(value)}`
    }),
  )
  for (let at = 0; at < lines.length; at += LINES) await server.nsupdate(lines.slice(at, at + LINES))
}

/** The RRsets of a transfer without the name servers of the zone's beginning. */
function parse(lines: string[], zone: string): RRset[] {
  const rrsets = new Map<string, RRset>()
  for (const line of lines) {
    const [, owner = '', ttl, kind = '', data = ''] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? []
    const type = readType(kind)
    const value = type === null ? null : typeOf(type).read(data)
    const name = relativeName(owner, zone)
    if (type === null || value === null || name === null || data === 'ns.host.invalid.') continue
    const rrset = rrsets.get(rrsetKey({ name, type })) ?? { name, type, ttl: Number(ttl), members: [] }
    rrsets.set(rrsetKey({ name, type }), rrset)
    rrset.members.push({ value })
  }
  return sorted([...rrsets.values()])
}
