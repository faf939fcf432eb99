import t, { type Test } from 'tap'
import type { RRsetEdit } from '../../modules/providers/contract.ts'
import { until } from '../helpers/until.ts'
import { add, edit, remove, replace, rrset, start } from '../conformance/suite/subject.ts'
import { startBind, startKnot, type NameServer } from './name-servers.ts'
import { subjectsOf } from './rfc2136-subject.ts'
import { startNsd } from './secondary.ts'

const RECORDS = 10_000
// Of a transfer of what has changed alone.
const FEW_LINES = 40

const CHANGES: [name: string, type: string, edits: RRsetEdit[]][] = [
  ['new', 'A', [edit('new', 'A', [add('192.0.2.1'), add('192.0.2.2')])]],
  ['new', 'A', [edit('new', 'A', [replace('192.0.2.1', '192.0.2.3')], 600)]],
  ['new', 'CNAME', [edit('new', 'A', [remove('192.0.2.2'), remove('192.0.2.3')])]],
  ['new', 'CNAME', [edit('new', 'CNAME', [add('target.example.net')])]],
  ['host-77', 'A', [edit('host-77', 'A', [remove('10.1.0.77')])]],
  ['text', 'TXT', [edit('text', 'TXT', [add('v=spf1 -all'), add('say "hi"; \\ grüße')])]],
  ['sub', 'NS', [edit('sub', 'NS', [add('ns1.example.net')])]],
]

/** A name server that is not ours sees each of our changes, as a secondary does. */
async function followed(t: Test, primary: NameServer): Promise<void> {
  const { subject, zone, apply } = await start(t, subjectsOf(primary))
  const many = Array.from({ length: RECORDS }, (_, i) =>
    rrset(`host-${i}`, 'A', [`10.1.${i >> 8}.${i & 255}`]),
  )
  await subject.seed(many)
  const secondary = await startNsd(primary, zone.name)
  t.teardown(() => secondary.close())
  const { algorithm, name: key, secret } = primary.keyOf('all')
  const serialOf = (soa: string) => Number(soa.split(' ')[2])
  const lines = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .sort()
  for (const [name, type, edits] of CHANGES) {
    const before = serialOf(await primary.dig('+short', zone.name, 'SOA'))
    await apply(edits)
    const soa = await primary.dig('+short', zone.name, 'SOA')
    t.ok(serialOf(soa) > before, 'the serial rises')
    await secondary.refresh()
    await until('the secondary has it', async () => (await secondary.dig('+short', zone.name, 'SOA')) === soa)
    const question = ['+noall', '+answer', '+authority', `${name}.${zone.name}`, type]
    const answer = lines(await secondary.dig(...question))
    t.same(answer, lines(await primary.dig(...question)), `${name} ${type}`)
    const difference = [
      '-y',
      `${algorithm}:${key}:${secret}`,
      '+noall',
      '+answer',
      zone.name,
      `IXFR=${before}`,
    ]
    t.ok(lines(await primary.dig(...difference)).length < FEW_LINES, 'by IXFR, what has changed alone')
  }
}

for (const startServer of [startBind, startKnot]) {
  void t.test('a secondary follows', async (t) => {
    const primary = await startServer(2)
    t.teardown(() => primary.close())
    await t.test(primary.name, (t) => followed(t, primary))
  })
}
