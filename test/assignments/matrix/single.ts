import type { Test } from 'tap'
import type { Answer } from '../../helpers/app.ts'
import { label, TARGETS, type Target } from '../model.ts'
import { labelOf, written, type Case, type Program, type Row } from './prepare.ts'

/** One record at a time, on every target: nothing but what is allowed changes anything. */
export async function checkSingle(t: Test, given: Case, user: Program, targets: Target[]) {
  const { holder, url, mark } = given
  const ttl = 600 + (targets.length % 10)
  const before = await given.all()
  for (const target of targets) {
    const expect = (answer: Answer, status: number, what: string) => {
      t.equal(answer.status, status, `${what} ${label(target)}`)
      if (answer.status === 404) t.notMatch(JSON.stringify(answer.body), new RegExp(`192\\.0|${mark}\\.ex`))
    }
    const there = `${url}/records/${given.idOf(target)}`
    expect(await user.get(there), holder.isStranger || !holder.sees(target) ? 404 : 200, 'read')
    if (!written(holder, targets).includes(target)) continue
    const value = target.type === 'A' ? '192.0.2.77' : `more of ${mark}`
    const body = { recordType: target.type, name: target.name, value }
    const made = await user.post(`${url}/records`, body)
    expect(made, holder.creating(target), 'create')
    if (made.status === 201) expect(await user.delete(`${url}/records/${made.body.id}`), 204, 'delete')
    else expect(await user.delete(there), holder.changing(target, 204), 'delete')
    expect(await user.put(there, { ttl }), holder.changing(target, 200), 'update')
  }
  const isChanged = (row: Row) =>
    targets.some((target) => label(target) === labelOf(row) && holder.mayChange(target))
  const content = ({ id, ttl, value }: Row) => ({ id, ttl, value })
  const expected = before.map((row) => content(isChanged(row) ? { ...row, ttl } : row))
  t.same((await given.all()).map(content), expected, 'nothing else changed')
}

/** A record must not leave what is theirs, nor come into it from elsewhere. */
export async function checkMoving(t: Test, given: Case, user: Program) {
  const { holder, url } = given
  for (const from of written(
    holder,
    TARGETS.filter(({ type }) => type === 'A'),
  )) {
    for (const name of ['other', 'app', 'a.dev']) {
      if (holder.mayChange({ name, type: 'A' }) && holder.mayChange(from)) continue
      const answer = await user.put(`${url}/records/${given.idOf(from)}`, { name, value: '192.0.2.50' })
      t.equal(answer.status, holder.changing(from, 403), `${from.name} to ${name}`)
    }
  }
  const apexServers = { recordType: 'NS', name: '@', value: 'ns1.example.net' }
  const refused = (await user.post(`${url}/records`, apexServers)).status
  t.ok([403, 404, 409].includes(refused), `NS at the apex is nobody's: ${refused}`)
}
