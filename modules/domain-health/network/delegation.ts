import { isBelow } from '../../../dns/names/names.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { RCODE, TYPE } from '../../../dns/wire/message.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import type { Delegation, Dns, DnsServer } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import { finding, type Finding, type Found } from '../checking/finding.ts'
import { isDefinite, orFailure, type Resolve } from './tools.ts'

/** One address of a name server, and what it answered about the SOA of the zone. */
export interface AskedServer {
  name: string
  server: DnsServer
  /** `unknown`: it may not be asked, or nothing of its address family answers here. */
  state: 'answers' | 'lame' | 'unreachable' | 'unknown'
  /** Null unless it answers. */
  serial: number | null
}

/** Asks every server of the delegation for the SOA. */
export async function askServers(
  dns: Dns,
  zone: string,
  { servers, parentServers }: Delegation,
  signal: AbortSignal,
): Promise<AskedServer[]> {
  const listed = servers.flatMap(({ name, addresses }) =>
    addresses.map((address) => ({ name, server: { address, port: dns.nameServerPort } })),
  )
  const asked = await Promise.all(listed.map((one) => askOne(dns, zone, one, signal)))
  // Without IPv6 here, IPv6 servers seem unreachable: silence counts only where another one of the family answers.
  for (const isSix of [false, true]) {
    const family = asked.filter(({ server }) => server.address.includes(':') === isSix)
    const silent = family.filter(({ state }) => state === 'unreachable')
    if (silent.length === 0 || family.some(({ state }) => state === 'answers' || state === 'lame')) continue
    const others = parentServers.filter(({ address }) => address.includes(':') === isSix)
    if (await answersAny(dns, zone, others.slice(0, 2), signal)) continue
    for (const one of silent) one.state = 'unknown'
  }
  return asked
}

const answersAny = async (dns: Dns, zone: string, servers: DnsServer[], signal: AbortSignal) => {
  for (const server of servers) {
    const answer = await orFailure(dns.query(server, { name: zone, type: 'NS' }, signal))
    if (!(answer instanceof OutboundError)) return true
  }
  return false
}

async function askOne(
  dns: Dns,
  zone: string,
  one: Pick<AskedServer, 'name' | 'server'>,
  signal: AbortSignal,
): Promise<AskedServer> {
  const answer = await orFailure(dns.query(one.server, { name: zone, type: 'SOA' }, signal))
  if (answer instanceof OutboundError) {
    return { ...one, state: answer.kind === 'blocked' ? 'unknown' : 'unreachable', serial: null }
  }
  const soa = answer.answers.find(({ name, type }) => type === TYPE.SOA && name === zone)
  if (answer.rcode !== RCODE.NOERROR || !answer.isAuthoritative || !soa)
    return { ...one, state: 'lame', serial: null }
  const { data } = soa
  return { ...one, state: 'answers', serial: Buffer.from(data).readUInt32BE(data.length - 20) }
}

const ABOUT = { name: '@', type: 'NS' } as const

/** NS records of the parent against those of the zone, addresses of servers, and whether they answer. */
export async function delegationFindings(
  { dns, resolve }: { dns: Dns; resolve: Resolve },
  zone: string,
  { parent, servers }: Delegation,
  asked: readonly AskedServer[],
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = { findings: [], unknown: [] }
  for (const { name, server, state } of asked) {
    const params = { server: name, address: server.address }
    const subject = `${name} ${server.address}`
    const given = { ...ABOUT, subject, params }
    if (state === 'lame') {
      const detail = `${name} (${server.address}) does not answer for ${zone}.`
      found.findings.push(finding({ ...given, code: 'delegation.lame', detail }))
    }
    if (state === 'unreachable') {
      const detail = `${name} (${server.address}) does not answer.`
      found.findings.push(finding({ ...given, code: 'delegation.unreachable', detail }))
    }
    if (state === 'unknown') {
      const codes = ['delegation.lame', 'delegation.unreachable'] as const
      const detail = `${name} (${server.address}) cannot be asked from here.`
      found.unknown.push({ codes: [...codes], subject, reason: 'not_reachable_from_here', detail })
    }
  }
  for (const { name, glue, addresses } of servers) {
    const given = { ...ABOUT, subject: name, params: { server: name, parent } }
    if ((name === zone || isBelow(name, zone)) && glue.length === 0) {
      const detail = `${parent} has no address for ${name}.`
      found.findings.push(finding({ ...given, code: 'delegation.glue_missing', detail }))
    } else if (addresses.length === 0) found.findings.push(...(await withoutAddress(resolve, name, signal)))
  }
  const first = asked.find(({ state }) => state === 'answers')
  const own = first && (await nameServersAt(dns, zone, first.server, signal))
  if (!own) {
    const detail = 'No name server answers with the NS records of the zone.'
    found.unknown.push({ codes: ['delegation.mismatch'], subject: null, reason: 'no_answer', detail })
    return found
  }
  const above = new Set(servers.map(({ name }) => name))
  const onlyAbove = [...above].filter((name) => !own.has(name)).sort()
  const onlyBelow = [...own].filter((name) => !above.has(name)).sort()
  if (onlyAbove.length + onlyBelow.length > 0) {
    const told = [
      ...(onlyAbove.length > 0 ? [`Only ${parent} names ${onlyAbove.join(', ')}.`] : []),
      ...(onlyBelow.length > 0 ? [`Only the zone names ${onlyBelow.join(', ')}.`] : []),
    ]
    const params = { parent, onlyAbove, onlyBelow }
    found.findings.push(finding({ ...ABOUT, code: 'delegation.mismatch', detail: told.join(' '), params }))
  }
  return found
}

async function withoutAddress(resolve: Resolve, name: string, signal: AbortSignal): Promise<Finding[]> {
  const answers = [
    await orFailure(resolve({ name, type: 'A' }, signal)),
    await orFailure(resolve({ name, type: 'AAAA' }, signal)),
  ]
  if (!answers.every(isDefinite)) return []
  const detail = `${name} has no address.`
  return [
    finding({ ...ABOUT, code: 'delegation.unreachable', subject: name, detail, params: { server: name } }),
  ]
}

async function nameServersAt(dns: Dns, zone: string, server: DnsServer, signal: AbortSignal) {
  const answer = await orFailure(dns.query(server, { name: zone, type: 'NS' }, signal))
  if (answer instanceof OutboundError || answer.rcode !== RCODE.NOERROR) return null
  const names = answer.answers
    .filter(({ name, type }) => name === zone && type === typeCode('NS'))
    .flatMap(({ data }) => typeOf('NS').fromWire(data) ?? [])
  return names.length === 0 ? null : new Set(names)
}
