import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { toMailAddress, toMailboxName } from '../../../../dns/names/mailbox.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { Dnssec, Soa, Zone } from '../../contract.ts'
import { Done, type TechnitiumApi } from './client.ts'
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

export async function readSoa(api: TechnitiumApi, zone: Zone): Promise<Soa> {
  const { ttl, rData } = await readRawSoa(api, zone)
  const { primaryNameServer, responsiblePerson: person, ...rest } = rData
  const mail = person.includes('@') ? toMailboxName(person) : null
  const mailbox = mail?.ok ? mail.name : readName(person)
  const primary = readName(primaryNameServer)
  if (primary === null || mailbox === null) throw api.malformed()
  const { serial, refresh, retry, expire, minimum } = rest
  return { primary, mailbox, serial, refresh, retry, expire, minimum, ttl }
}

async function readRawSoa(api: TechnitiumApi, zone: Zone) {
  const { records } = await api.readRecords(zone, zone.name)
  const { ttl, rData } = records.find(({ type }) => type === 'SOA') ?? {}
  if (ttl === undefined || !isSoa.Check(rData)) throw api.malformed()
  return { ttl, rData }
}

export async function writeSoa(
  api: TechnitiumApi,
  zone: Zone,
  { primary, mailbox, serial, ttl, ...times }: Soa,
): Promise<void> {
  const { useSerialDateScheme } = (await readRawSoa(api, zone)).rData
  await api.write('/zones/records/update', {
    zone: zone.id,
    domain: zone.id,
    type: 'SOA',
    ttl,
    ...times,
    primaryNameServer: primary,
    responsiblePerson: toMailAddress(mailbox),
    // The server may raise it further.
    serial: (serial + 1) % 2 ** 32,
    useSerialDateScheme,
  })
}

export async function readDnssec(api: TechnitiumApi, zone: Zone): Promise<Dnssec> {
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
  return { signed: true, ds: ds.flatMap((rdata) => typeOf('DS').read(rdata) ?? []) }
}

export async function writeDnssec(api: TechnitiumApi, zone: Zone, signed: boolean): Promise<void> {
  if ((await isSigned(api, zone)) === signed) return
  if (signed) await api.write('/zones/dnssec/sign', { zone: zone.id, algorithm: 'ECDSA', curve: 'P256' })
  else await api.write('/zones/dnssec/unsign', { zone: zone.id })
}

async function isSigned(api: TechnitiumApi, zone: Zone): Promise<boolean> {
  const { zone: raw } = await api.readRecords(zone, zone.name)
  return (raw.dnssecStatus ?? 'Unsigned') !== 'Unsigned'
}

const numberOf = (parameter: string, word: string): string =>
  Object.entries(WORDS[parameter] ?? {}).find(([, one]) => one === word.replaceAll('_', '-'))?.[0] ?? word
