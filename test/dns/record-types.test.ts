import t from 'tap'
import { checkValue, readType, RECORD_TYPES, typeOf, type RecordType } from '../../dns/types/index.ts'
import { typeCode, typeName } from '../../dns/wire/type-codes.ts'
import { WireReader, WireWriter } from '../../dns/wire/wire.ts'
import { generateValues } from './generate.ts'

void t.test('each type has an example that is canonical in every form', async (t) => {
  for (const type of RECORD_TYPES) {
    const { example, code, fields } = typeOf(type)
    t.match(checkValue(type, example), { ok: true, value: example }, type)
    t.match(typeOf(type).checkData(typeOf(type).toData(example)), { ok: true, value: example })
    t.equal(typeOf(type).read(typeOf(type).write(example)), example)
    t.equal(typeOf(type).fromWire(typeOf(type).toWire(example)), example)
    t.same(
      Object.keys(typeOf(type).toData(example)),
      fields.map(({ name }) => name),
    )
    t.ok(code === null ? type === 'ALIAS' || type === 'ANAME' : typeName(code) === type)
  }
})

void t.test('generated values: wire form, fields and bytes of any type say the same', async () => {
  for (const { type, value } of generateValues(10_000, 8)) {
    const check = checkValue(type, value)
    if (!check.ok) continue
    const canonical = check.value
    const definition = typeOf(type)
    const wire = definition.toWire(canonical)
    const forms = {
      wire: definition.fromWire(wire),
      generic: definition.read(`\\# ${wire.length} ${wire.toString('hex')}`),
      data: definition.checkData(definition.toData(canonical)),
      again: checkValue(type, canonical),
    }
    if (forms.wire !== canonical) t.fail(`${type} ${canonical}: by wire ${forms.wire}`)
    if (forms.generic !== canonical) t.fail(`${type} ${canonical}: by bytes ${forms.generic}`)
    // A TXT has its strings beside its text.
    const isText = type === 'TXT' && /^".*"$/s.test(canonical)
    if (!isText && !(forms.data.ok && forms.data.value === canonical)) {
      t.fail(`${type} ${canonical}: by fields ${JSON.stringify(forms.data)}`)
    }
    if (!(forms.again.ok && forms.again.value === canonical)) t.fail(`${type} ${canonical} is not stable`)
  }
})

void t.test('what users paste becomes canonical', async (t) => {
  const cases: [RecordType, string, string][] = [
    [
      'DS',
      '60485 RSASHA256 1 2BB183AF5F22588179A53B0A 98631FAD1A292118',
      '60485 8 1 2bb183af5f22588179a53b0a98631fad1a292118',
    ],
    ['TLSA', 'DANE-EE SPKI SHA2-256 ' + 'AB'.repeat(32), `3 1 1 ${'ab'.repeat(32)}`],
    ['CDS', '0 0 0 00', '0 0 0 00'],
    ['CDNSKEY', '0 3 0 AA==', '0 3 0 AA=='],
    ['CERT', 'PKIX 0 0 AQ ID', '1 0 0 AQID'],
    ['RP', 'john.doe@Example.com .', 'john\\.doe.example.com .'],
    ['HINFO', 'PC Linux', '"PC" "Linux"'],
    ['EUI48', '00:00:5E:00:53:2A', '00-00-5e-00-53-2a'],
    ['LOC', '52 22 23 N 4 53 32 E -2m', '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m'],
    ['LOC', '42 N 71 w 0 30m 2.55m', '42 0 0.000 N 71 0 0.000 W 0.00m 30.00m 2.00m 10.00m'],
    ['LOC', '0 S 0 W 0', '0 0 0.000 N 0 0 0.000 E 0.00m 1.00m 10000.00m 10.00m'],
    ['CSYNC', '66 3 AAAA type2 A A', '66 3 A NS AAAA'],
    [
      'HTTPS',
      '1 . ipv4hint="192.0.2.1" alpn="h3,h2" mandatory=ipv4hint,alpn',
      '1 . mandatory=alpn,ipv4hint alpn=h3,h2 ipv4hint=192.0.2.1',
    ],
    ['HTTPS', '0 Svc.Example.NET.', '0 svc.example.net'],
    [
      'SVCB',
      '16 foo.example.org alpn="f\\\\\\\\oo\\\\,bar,h2"',
      '16 foo.example.org alpn="f\\\\\\\\oo\\\\,bar,h2"',
    ],
    ['SVCB', '1 foo.example.com key667="hello\\210qoo"', '1 foo.example.com key667="hello\\210qoo"'],
    [
      'SVCB',
      '1 foo.example.com ipv6hint=2001:db8::198.51.100.100',
      '1 foo.example.com ipv6hint=2001:db8::c633:6464',
    ],
    // By its number, a value is its bytes (RFC 9460 section 2.1).
    ['SVCB', '1 . key1="\\002h2\\002h3" key3="\\001\\187"', '1 . alpn=h2,h3 port=443'],
    ['SVCB', '1 . key2 key1="\\002h2"', '1 . alpn=h2 no-default-alpn'],
    [
      'SVCB',
      '1 . key0="\\000\\004" key4="\\192\\000\\002\\001"',
      '1 . mandatory=ipv4hint ipv4hint=192.0.2.1',
    ],
    ['HTTPS', '1 . key7="/q{?dns}"', '1 . dohpath=/q{?dns}'],
    [
      'APL',
      '1:192.168.32.0/21 !1:192.168.38.0/28 2:FF00::/8',
      '1:192.168.32.0/21 !1:192.168.38.0/28 2:ff00::/8',
    ],
    ['URI', '10 1 "https://example.com/a b"', '10 1 "https://example.com/a b"'],
    ['PTR', 'HOST.example.com.', 'host.example.com'],
    ['TYPE65534', '\\# 4 0A00 0001', '\\# 4 0a000001'],
    ['TYPE65534', '\\# 0', '\\# 0'],
    ['A', '\\# 4 0a000001'.replace('\\# 4 0a000001', '10.0.0.1'), '10.0.0.1'],
  ]
  for (const [type, given, canonical] of cases)
    t.match(checkValue(type, given), { ok: true, value: canonical }, given)
})

void t.test('what breaks a rule is refused with its reason', async (t) => {
  const cases: [RecordType, string, RegExp][] = [
    ['DS', '1 13 2', /DS must be "<keyTag> <algorithm> <digestType> <digest>"/],
    ['DS', '1 13 2 abc', /Digest of DS must be hexadecimal digits/],
    ['DS', '1 13 2 abcd', /has 32 bytes \(64 digits\), but this one has 4/],
    ['DS', '70000 13 2 ' + 'ab'.repeat(32), /Key tag of DS must be a number from 0 to 65535/],
    ['DNSKEY', '257 2 13 AQID', /protocol of a key must be 3/],
    ['TLSA', '3 2 0 ab', /selector 2 is unassigned/],
    ['SSHFP', '1 1 abcd', /20 bytes \(40 digits\)/],
    ['NAPTR', '1 1 "u" "E2U+sip" "!x!y!" a.example.com', /substitution or a replacement, not both/],
    ['NAPTR', '1 1 "u" "E2U+sip" "x!y!" .', /substitution must be/],
    ['NAPTR', '1 1 "!" "" "" .', /letters and digits/],
    ['HTTPS', '0 a.example.com alpn=h2', /alias and must not have parameters/],
    ['HTTPS', '1 . mandatory=port', /lists port, which is missing/],
    ['HTTPS', '1 . mandatory=mandatory', /must not list itself/],
    ['HTTPS', '1 . no-default-alpn', /requires "alpn"/],
    ['HTTPS', '1 . port=1 port=2', /port twice/],
    ['HTTPS', '1 . port', /numbers? from 0 to 65535/],
    ['HTTPS', '1 . ipv4hint=2001:db8::1', /valid addresses/],
    ['HTTPS', '1 . alpn=h2,,h3', /empty item/],
    ['HTTPS', '1 . nope=1', /valid parameter/],
    ['HTTPS', '1 . no-default-alpn=x alpn=h2', /takes none/],
    ['LOC', '91 N 4 E 0', /Latitude of LOC must be/],
    ['LOC', '1 60 N 4 E 0', /Latitude of LOC must be/],
    ['LOC', '1 N 4 E 50000000m', /Altitude of LOC must be/],
    ['URI', '1 1 "x"', /start with a scheme/],
    ['EUI48', '00-00-5e-00-53', /must be 6 bytes/],
    ['APL', '3:192.0.2.0/24', /address prefixes/],
    ['APL', '1:192.0.2.0/33', /address prefixes/],
    ['CSYNC', '1 1 NOPE', /is not a record type/],
    ['PTR', '192.0.2.1', /is an IP address/],
    ['OPENPGPKEY', '***', /must be base64/],
    ['TYPE65534', '\\# 4 0a00', /"\\# <octets>/],
    ['TYPE65534', '0a000001', /"\\# <octets>/],
    ['HINFO', `"${'x'.repeat(256)}" ""`, /more than 255 bytes/],
  ]
  for (const [type, given, reason] of cases) {
    const check = checkValue(type, given)
    t.match(
      check,
      { ok: false, errors: [{ path: 'value', message: reason, code: /^[a-z0-9_]+$/ }] },
      `${type} ${given}`,
    )
  }
})

void t.test('names of types', async (t) => {
  const cases: [string, RecordType | null][] = [
    ['a', 'A'],
    ['TYPE28', 'AAAA'],
    ['type65534', 'TYPE65534'],
    ['afsdb', 'AFSDB'],
    ['TYPE18', 'AFSDB'],
    ['HIP', null],
    ['TYPE55', 'TYPE55'],
    ['type260', 'TYPE260'],
    ['RRSIG', null],
    ['TYPE47', null],
    ['SOA', null],
    ['TYPE0', null],
    ['TYPE41', null],
    ['TYPE255', null],
    ['TYPE65535', null],
    ['TYPE65536', null],
    ['TYPE01', null],
    ['SOA', null],
    ['NOPE', null],
    ['__proto__', null],
  ]
  for (const [given, type] of cases) t.equal(readType(given), type, given)
  t.equal(typeCode('constructor'), null)
})

void t.test('names on the wire: compressed, cut off, and in circles', async (t) => {
  const message = new WireWriter().name('mail.example.com').name('a\\.b.example').finish()
  const reader = new WireReader(message)
  t.equal(reader.name(), 'mail.example.com')
  t.equal(reader.name(), 'a\\.b.example')
  const pointing = Buffer.concat([message, Buffer.from([3]), Buffer.from('www'), Buffer.from([0xc0, 5])])
  t.equal(new WireReader(pointing, message.length).name(), 'www.example.com')
  t.equal(
    typeOf('MX').fromWire(Buffer.concat([message, Buffer.from([0, 10, 0xc0, 0])]), message.length),
    '10 mail.example.com',
  )
  for (const bad of [[0xc0, 0], [0xc0, 9], [5, 65], [0x80, 1], []]) {
    t.throws(() => new WireReader(Buffer.from(bad)).name(), { name: 'WireError' }, JSON.stringify(bad))
  }
  t.throws(() => new WireReader(Buffer.alloc(300, Buffer.from([1, 65]))).name(), { name: 'WireError' })
})
