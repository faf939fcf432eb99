import t from 'tap'
import type { RecordState } from '../../../modules/records/plan/change.ts'
import { planChanges } from '../../../modules/records/plan/plan.ts'
import { cases, CNAME, create, state, zone } from './plan-cases.ts'

for (const { name, current = [], requests, steps = [], refused = [], warned = [] } of cases) {
  void t.test(name, async (t) => {
    const before = current.map(state)
    const plan = await planChanges(zone, structuredClone(before), requests)
    const written = plan.steps.map(({ action, before, after }) => {
      const { name, type, ttl, value } = (after ?? before) as RecordState
      return `${action} ${name} ${type} ${ttl} ${value}`
    })
    t.same(written.toSorted(), steps.toSorted(), 'steps')
    t.same(
      plan.refusals.map(({ index, kind }) => `${index} ${kind}`).sort(),
      refused.map(([what]) => what),
      'refusals',
    )
    for (const [what, detail] of refused) {
      const refusal = plan.refusals.find(({ index }) => index === Number.parseInt(what, 10))
      t.match(refusal?.detail, detail)
    }
    t.equal(plan.warnings.length, warned.length)
    warned.forEach((message, i) => t.match(plan.warnings[i]?.message, message))
  })
}

void t.test('a conflict contains the conflicting record', async (t) => {
  const plan = await planChanges(zone, [state(CNAME)], [create('alias', 'A', '192.0.2.1')])
  t.match(plan.refusals, [{ record: { id: 'c1' } }])
})

void t.test('a CNAME at the apex where the provider flattens', async (t) => {
  const flattening = { ...zone, capabilities: { ...zone.capabilities, apexCname: true, proxied: true } }
  const plan = await planChanges(flattening, [], [create('@', 'CNAME', 'x.example.net', { proxied: true })])
  t.match(plan.steps, [{ after: { type: 'CNAME', proxied: true } }])
})

void t.test('96. large plans take linear time, in slices', async (t) => {
  const RECORDS = 20_000
  const time = async (name: (i: number) => string) => {
    const many = Array.from({ length: RECORDS }, (_, i) =>
      create(name(i), 'A', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`),
    )
    let turns = 0
    const counting = setInterval(() => turns++, 1)
    const begun = performance.now()
    const { steps } = await planChanges(zone, [], many)
    clearInterval(counting)
    t.equal(steps.length, RECORDS)
    t.ok(turns > 5, 'others have the event loop meanwhile')
    return performance.now() - begun
  }
  const manyNames = await time((i) => `h${i}`)
  const oneName = await time(() => 'h')
  t.ok(oneName < 10 * manyNames, 'one name takes no longer than many names')
})

void t.test('verbatim changes leave out NS records at the apex that the provider manages', async (t) => {
  const requests = [create('@', 'NS', 'ns2.example.net'), create('www', 'A', '192.0.2.1')]
  const plan = await planChanges(zone, [state('n1 @ NS 300 ns1.example.net')], requests, { verbatim: true })
  t.same(plan.refusals, [])
  t.same(
    plan.steps.map(({ after }) => after?.name),
    ['www'],
  )
  t.match(plan.warnings, [{ index: 0, code: 'apex_ns_left_out' }])
})
