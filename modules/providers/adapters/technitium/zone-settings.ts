import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { toMailAddress, toMailboxName } from '../../../../dns/names/mailbox.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { CommandApi } from '../../client/commands.ts'
import type { Dnssec, Soa, Zone } from '../../contract.ts'
import { dsOf, raised } from '../../shared/zone-data.ts'
import { Changed, Done, readRecords } from './client.ts'
import { WORDS } from './words.ts'

/* SOA and DNSSEC of a zone. */

const Text = Type.String()

const Keys = Done(
  Type.Object({
    dsRecords: Type.Array(
      Type.Object({
        keyTag: Type.Integer(),
        dnsKeyState: Type.Optional(Text),
        algorithm: Text,
        digests: Type.Array(Type.Object({ digestType: Text, digest: Text })),
      }),
    ),
  }),
)

const isSoa = TypeCompiler.Compile(
  Type.Object({
    primaryNameServer: Text,
    responsiblePerson: Text,
    serial: Type.Integer(),
    refresh: Type.Integer(),
    retry: Type.Integer(),
    expire: Type.Integer(),
    minimum: Type.Integer(),
    useSerialDateScheme: Type.Optional(Type.Boolean()),
  }),
)

export async function readSoa(api: CommandApi, zone: Zone): Promise<Soa> {
  const { ttl, rData } = await readRawSoa(api, zone)
  const { primaryNameServer, responsiblePerson: person, ...rest } = rData
  const mail = person.includes('@') ? toMailboxName(person) : null
  const mailbox = mail?.ok ? mail.name : readName(person)
  const primary = readName(primaryNameServer)
  if (primary === null || mailbox === null) throw api.client.malformed()
  const { serial, refresh, retry, expire, minimum } = rest
  return { primary, mailbox, serial, refresh, retry, expire, minimum, ttl }
}

async function readRawSoa(api: CommandApi, zone: Zone) {
  const { records } = await readRecords(api, zone, zone.name)
  const { ttl, rData } = records.find(({ type }) => type === 'SOA') ?? {}
  if (ttl === undefined || !isSoa.Check(rData)) throw api.client.malformed()
  return { ttl, rData }
}

export async function writeSoa(api: CommandApi, zone: Zone, soa: Soa): Promise<void> {
  const { useSerialDateScheme } = (await readRawSoa(api, zone)).rData
  // The server may raise the serial further.
  const { primary, mailbox, ...rest } = raised(soa)
  await api.write('/zones/records/update', Changed, {
    zone: zone.id,
    domain: zone.id,
    type: 'SOA',
    ...rest,
    primaryNameServer: primary,
    responsiblePerson: toMailAddress(mailbox),
    useSerialDateScheme,
  })
}

export async function readDnssec(api: CommandApi, zone: Zone): Promise<Dnssec> {
  if (!(await isSigned(api, zone))) return { signed: false, ds: [] }
  const { response } = await api.read('/zones/dnssec/viewDS', Keys, { zone: zone.id })
  const ds = response.dsRecords
    // In earlier states, some resolvers don't know the key yet.
    .filter(({ dnsKeyState: state = 'Ready' }) => state === 'Ready' || state === 'Active')
    .flatMap(({ keyTag, algorithm, digests }) =>
      digests.map(({ digestType, digest }) =>
        [keyTag, numberOf('algorithm', algorithm), numberOf('digestType', digestType), digest].join(' '),
      ),
    )
  return { signed: true, ds: dsOf(ds) }
}

export async function writeDnssec(api: CommandApi, zone: Zone, signed: boolean): Promise<void> {
  if ((await isSigned(api, zone)) === signed) return
  if (signed)
    await api.write('/zones/dnssec/sign', Changed, { zone: zone.id, algorithm: 'ECDSA', curve: 'P256' })
  else await api.write('/zones/dnssec/unsign', Changed, { zone: zone.id })
}

async function isSigned(api: CommandApi, zone: Zone): Promise<boolean> {
  const { zone: raw } = await readRecords(api, zone, zone.name)
  return (raw.dnssecStatus ?? 'Unsigned') !== 'Unsigned'
}

const numberOf = (parameter: string, word: string): string =>
  Object.entries(WORDS[parameter] ?? {}).find(([, one]) => one === word.replaceAll('_', '-'))?.[0] ?? word
