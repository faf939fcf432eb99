import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { checkValue, RECORD_TYPES, typeOf } from '../../dns/types/index.ts'
import { startApp } from '../helpers/app.ts'
import rfc2136 from '../../modules/providers/adapters/rfc2136/index.ts'
import { addDomain, idOf, POWERDNS } from '../helpers/zone.ts'
import { startBind } from './name-servers.ts'
import { startPowerDns, type PowerDns } from './powerdns.ts'
import { credentialsOf } from './rfc2136-subject.ts'
import { compiledZone, transferredZone } from './wire-zone.ts'

/*
 * A zone with every record type goes from one server through the service to others, and has the same bytes on
 * the wire everywhere.
 */

const run = promisify(execFile)
const ZONE = 'example.com'

/** Of a name relative to the zone, "" the apex; values as PowerDNS's API has them. */
type Held = [name: string, type: string, values: string[]]

/** A digest of the DNSKEY that is the example (RFC 8080 section 6.1): BIND takes a CDS of no other. */
const CDS = '3613 15 2 3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b'

/** These PowerDNS serves with the minimum of the SOA, whatever their TTL is. */
const KEYS = new Set(['DNSKEY', 'CDS', 'CDNSKEY'])

/** An example of every type that a server has on the wire, where it may stand. */
const examples = RECORD_TYPES.filter((type) => typeOf(type).code !== null).map((type): Held => {
  const { example, place } = typeOf(type)
  const checked = checkValue(type, example)
  const value = typeOf(type).write(checked.ok ? checked.value : example)
  if (type === 'DS') return ['signed', type, [value]]
  return [place === 'apex' ? '' : `x-${type.toLowerCase()}`, type, [type === 'CDS' ? CDS : value]]
})

const others: Held[] = [
  ['', 'NS', ['ns1.example.net.', 'ns2.example.net.']],
  ['', 'MX', ['10 mail.example.com.', '20 mail.example.net.']],
  [
    '',
    'TXT',
    ['"v=spf1 -all"', '"say \\"hi\\" \\\\ ; \\195\\169"', `"${'x'.repeat(255)}" "${'y'.repeat(45)}"`],
  ],
  ['', 'A', ['192.0.2.1', '192.0.2.2', '192.0.2.3']],
  ['', 'CAA', ['0 issue ";"', '128 iodef "mailto:security@example.com"']],
  ['strings', 'TXT', ['"txtvers=1" "qtotal=1"', '"caf\\233\\000"']],
  ['signed', 'NS', ['ns1.example.net.']],
  ['unknown', 'TYPE65280', ['\\# 4 0a000001', '\\# 1 ff']],
  ['unknown', 'TYPE65534', ['\\# 4 0a000001']],
  ['*', 'A', ['192.0.2.10']],
  ['*.wild', 'TXT', ['"wild"']],
  ['xn--bcher-kva', 'AAAA', ['2001:db8::2', '2001:db8::3']],
  ['_sip._tcp', 'SRV', ['10 60 5060 sip.example.com.', '0 0 0 .']],
  ['0/25', 'NS', ['ns1.example.net.']],
  ['a.b.c.d', 'A', ['192.0.2.14']],
]

/** Names that PowerDNS holds and serves, though its API takes them from nobody; no host is called so. */
const escaped: Held[] = [
  ['dot\\.ted', 'TXT', ['"x"']],
  ['semi\\;x', 'TXT', ['"x"']],
  ['sp\\032ace', 'CNAME', ['a\\(b\\).example.net.']],
  ['\\@', 'TXT', ['"x"']],
  ['by\\255te', 'TXT', ['"x"']],
]

async function createZone({ apiUrl, apiKey }: PowerDns, held: Held[]): Promise<void> {
  const rrsets = held.map(([name, type, values]) => ({
    name: name === '' ? `${ZONE}.` : `${name}.${ZONE}.`,
    type,
    ttl: KEYS.has(type) ? 3600 : 300,
    records: values.map((content) => ({ content, disabled: false })),
  }))
  const answer = await fetch(`${apiUrl}/api/v1/servers/localhost/zones`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `${ZONE}.`, kind: 'Native', nameservers: [], rrsets }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

void t.test('every record type: PowerDNS, the service, a zone file, BIND by updates', async (t) => {
  const [{ admin }, server] = await Promise.all([startApp(t), startPowerDns()])
  t.teardown(() => server.close())
  const held = [...examples, ...others]
  await createZone(server, held)
  for (const [name, type, values] of escaped) {
    await run('pdnsutil', [
      `--config-dir=${server.directory}`,
      'add-record',
      ZONE,
      name,
      type,
      '300',
      ...values,
    ])
  }
  const there = await transferredZone(server.dnsPort, ZONE)
  t.equal(
    there.length,
    [...held, ...escaped].flatMap(([, , values]) => values).length,
    'PowerDNS serves all of it',
  )

  const providerConfigId = idOf(
    await admin.post('/api/provider-configs', {
      providerId: POWERDNS,
      name: 'PowerDNS',
      credentials: { apiUrl: server.apiUrl, apiKey: server.apiKey },
    }),
  )
  const imported = await admin.post('/api/domains/import', { providerConfigId, zones: [ZONE] })
  t.match(imported, { body: { results: [{ success: true, synced: there.length, unmanaged: 0 }] } })
  const url = `/api/domains/${imported.body.results[0].domainId}/records`
  const exported = await admin.get(`${url}/export`)
  t.same(await compiledZone(exported.body, ZONE), there, 'the same bytes')

  const again = { zonefile: exported.body, mode: 'replace', dryRun: true }
  t.match(await admin.post(`${url}/import`, again), {
    status: 200,
    body: {
      plan: {
        creates: { length: 0 },
        updates: { length: 0 },
        deletes: { length: 0 },
        conflicts: { length: 0 },
      },
      // The SOA, which is the server's own.
      skipped: { length: 1 },
    },
  })

  // In a zone of another name, with what is not the server's own: keys, digests, and BIND's sig-signing-type.
  const bind = await startBind(2)
  t.teardown(() => bind.close())
  const [to = ''] = bind.zones
  const key = bind.keyOf('all')
  const target = idOf(
    await admin.post('/api/provider-configs', {
      providerId: rfc2136.id,
      name: 'BIND',
      credentials: credentialsOf(bind, key, to),
    }),
  )
  const { id } = await addDomain(admin, target, to)
  await admin.post(`/api/domains/${id}/sync`)
  t.match(
    await admin.post(`/api/domains/${id}/records`, {
      recordType: 'TYPE65534',
      name: 'unknown',
      value: '\\# 4 0a000001',
    }),
    { status: 400, body: { errors: [{ path: '/recordType', code: 'type_of_signing' }] } },
    'what BIND would drop without a word is refused',
  )
  const zonefile = String(exported.body)
    .replace(`$ORIGIN ${ZONE}.`, `$ORIGIN ${to}.`)
    .replaceAll(/^.*\tIN\t(?:DNSKEY|CDS|CDNSKEY|ZONEMD|TYPE65534)\t.*\n/gm, '')
  const written = await admin.post(`/api/domains/${id}/records/import`, { zonefile, mode: 'replace' })
  t.match(
    written,
    { status: 200, body: { plan: { applied: true } } },
    JSON.stringify(written.body).slice(0, 1000),
  )
  t.same(
    await transferredZone(bind.port, to, `${key.algorithm}:${key.name}:${key.secret}`),
    there
      .filter((line) => !/^\S+ \d+ (?:48|59|60|63|65534) /.test(line))
      .map((line) => line.replace(ZONE, to))
      .sort(),
    'the same bytes at BIND',
  )
})
