import type { Test } from 'tap'
import { label, TARGETS, type Target } from '../model.ts'
import {
  labels,
  ONE_OF_EACH_NAME,
  sorted,
  written,
  type Case,
  type Item,
  type Program,
  type Row,
} from './prepare.ts'

export async function checkMany(t: Test, given: Case, user: Program) {
  const { holder, url, owner } = given
  const entries = TARGETS.map(({ name, type }) => ({
    recordType: type,
    name,
    value: type === 'A' ? '192.0.2.88' : 'bulk',
  }))
  const bulk = await user.post(`${url}/records/bulk`, { records: entries })
  t.equal(bulk.status, holder.writing, 'bulk')
  if (bulk.status === 200) {
    const results = bulk.body.results as { success: boolean; id: string }[]
    t.same(
      results.map(({ success }) => success),
      TARGETS.map(holder.mayChange),
      'bulk',
    )
    for (const { id } of results.filter(({ success }) => success)) await owner.delete(`${url}/records/${id}`)
  }

  const changes = TARGETS.flatMap((target) => [
    { action: 'update', recordId: given.idOf(target), ttl: 900 },
    {
      action: 'create',
      recordType: target.type,
      name: target.name,
      value: target.type === 'A' ? '192.0.2.99' : 'plan',
    },
  ])
  const plan = await user.post(`${url}/records/plan`, { changes })
  t.equal(plan.status, holder.reading, 'plan')
  if (plan.status === 200) {
    const kinds = TARGETS.flatMap((target) => {
      if (holder.mayChange(target)) return [null, null]
      return [holder.sees(target) ? 'forbidden' : 'not_found', 'forbidden']
    })
    const conflicts = plan.body.conflicts as { index: number; kind: string }[]
    const found = changes.map(
      (_, index) => conflicts.find((conflict) => conflict.index === index)?.kind ?? null,
    )
    t.same(found, kinds, 'plan')
  }

  const before = JSON.stringify(await given.all())
  const mine = TARGETS.filter(holder.mayChange)
  const ttls = (targets: Target[], ttl: number) =>
    targets.map((target) => ({ action: 'update', recordId: given.idOf(target), ttl }))
  for (const target of written(holder, ONE_OF_EACH_NAME).filter((target) => !holder.mayChange(target))) {
    const apply = await user.post(`${url}/records/apply`, {
      changes: [...ttls(mine, 901), ...ttls([target], 901)],
    })
    const inTime = holder.sees(target) ? 403 : 409
    t.equal(apply.status, holder.writing === 200 ? inTime : holder.writing, `apply with ${label(target)}`)
    t.notOk(
      JSON.stringify(apply.body).includes(label(target)) && !holder.sees(target),
      'and names nothing hidden',
    )
  }
  t.equal(JSON.stringify(await given.all()), before, 'all or nothing')
  if (mine.length > 0) {
    t.match(await user.post(`${url}/records/apply`, { changes: ttls(mine, 902) }), { status: 200 })
    const changed = (await given.all()).filter(({ ttl }) => ttl === 902)
    t.same(labels(changed), sorted(mine.map(label)))
  }
}

export async function checkImport(t: Test, given: Case, user: Program) {
  const { holder, url } = given
  const line = ({ name, type }: Target) =>
    `${name} 300 IN ${type} ${type === 'A' ? '192.0.2.66' : '"imported"'}\n`
  const load = (zonefile: string, more: object) => user.post(`${url}/records/import`, { zonefile, ...more })
  for (const mode of ['merge', 'replace']) {
    const before = JSON.stringify(await given.all())
    const mine = TARGETS.filter(holder.mayChange)
    const dry = await load(TARGETS.map(line).join(''), { mode, dryRun: true })
    t.equal(dry.status, holder.reading, `dry ${mode}`)
    if (dry.status === 200) {
      const { conflicts, creates, deletes } = dry.body.plan
      t.same(
        TARGETS.filter((_, at) => conflicts.some((c: { index: number }) => c.index === at)),
        TARGETS.filter((target) => !holder.mayChange(target)),
      )
      t.equal(creates.length, mine.length)
      t.equal(deletes.length, mode === 'merge' ? 0 : mine.length, `${mode} deletes no more than theirs`)
    }
    for (const target of written(holder, ONE_OF_EACH_NAME).filter((target) => !holder.mayChange(target))) {
      const refused = await load(mine.map(line).join('') + line(target), { mode })
      t.equal(refused.status, holder.writing === 200 ? 403 : holder.writing, `${mode} of ${label(target)}`)
    }
    t.equal(JSON.stringify(await given.all()), before, `${mode} changed nothing`)
  }
}

/** Deletes all that is theirs by an import, takes that back by revert and by restore. */
export async function checkHistory(t: Test, given: Case, user: Program) {
  const { holder, url, owner } = given
  const mine = TARGETS.filter(holder.mayChange)
  const everything = labels(await given.all())
  const rest = everything.filter((found) => !mine.some((target) => label(target) === found))
  const then = new Date().toISOString()
  // That a file of nothing deletes anything must have been seen before.
  const empty = async () => {
    const wish = { zonefile: '', mode: 'replace' }
    const kept = await user.post(`${url}/records/import`, { ...wish, keep: true })
    const planId = mine.length > 0 ? kept.body.plan.planId : null
    return planId === null
      ? user.post(`${url}/records/import`, wish)
      : user.post(`${url}/records/apply`, { planId })
  }
  const emptied = await empty()
  t.equal(emptied.status, holder.writing, 'replace by nothing')
  t.same(labels(await given.all()), holder.writing === 200 ? rest : everything)
  if (mine.length > 0) {
    const preview = await user.post(`${url}/changes/${emptied.body.changeId}/revert?dryRun=true`)
    t.same(labels(preview.body.creates.map(({ after }: Item) => after as Row)), sorted(mine.map(label)))
    t.same(labels(await given.all()), rest, 'a dry run does nothing')
    const reverted = await user.post(`${url}/changes/${emptied.body.changeId}/revert`)
    t.equal(reverted.status, 200, 'revert of the own change')
    t.same(labels(await given.all()), everything)
    await empty()
  }
  const plan = await user.post(`${url}/restore`, { at: then })
  t.equal(plan.status, holder.reading, 'restore, the plan')
  if (plan.status === 200) t.equal(plan.body.creates.length, mine.length)
  const restored = await user.post(`${url}/restore`, { at: then, apply: true })
  t.equal(restored.status, holder.writing, 'restore')
  t.same(labels(await given.all()), everything)

  // What the owner did to all records, as far as it is theirs.
  const rows = await given.all()
  const changes = rows.map(({ id }) => ({ action: 'update', recordId: id, ttl: 1234 }))
  const { changeId } = (await owner.post(`${url}/records/apply`, { changes })).body
  const seen = TARGETS.filter(holder.sees)
  const allowed = seen.every(holder.mayChange)
  const foreign = await user.post(`${url}/changes/${changeId}/revert`)
  t.equal(
    foreign.status,
    holder.writing === 200 && !allowed ? 403 : holder.writing,
    'revert of a change of all',
  )
  const untouched = labels((await given.all()).filter(({ ttl }) => ttl === 1234))
  const expected =
    foreign.status === 200 ? everything.filter((found) => !seen.some((s) => label(s) === found)) : everything
  t.same(untouched, expected, 'reverted no more than theirs')
}
