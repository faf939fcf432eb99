import type { Test } from 'tap'
import { type Case, type Program } from './prepare.ts'

export async function checkDomain(
  t: Test,
  { holder, url, domain, owner, admin, config }: Case,
  user: Program,
) {
  t.equal((await user.post(`${url}/sync`)).status, holder.syncing, 'sync')
  const dry = holder.hasWhole ? 200 : holder.managing
  t.equal((await user.post(`${url}/sync?dryRun=true`)).status, dry, 'dry sync')
  const { managing } = holder
  t.equal((await user.put(url, { groupName: 'stolen' })).status, managing, 'settings')
  t.equal((await user.put(`${url}/expiry`, { expiresAt: null })).status, managing, 'expiry')
  t.equal((await user.put(`${url}/expiry-remind`, { expiryRemindDays: [1] })).status, managing, 'reminders')
  const bulk = await user.put('/api/domains/bulk', { ids: [domain.id], set: { groupName: 'stolen' } })
  t.equal(bulk.status, managing, 'settings of many')
  for (const what of ['copy', 'switch']) {
    const answer = await user.post(`${url}/${what}`, { providerConfigId: config })
    t.equal(answer.status, managing, what)
  }
  t.equal((await user.delete(url)).status, managing, 'deletion')
  t.equal(
    (await user.post(`/api/assignments`, { userId: admin.userId, domainId: domain.id, permission: 'read' }))
      .status,
    managing,
    'passing on',
  )
  t.match((await owner.get(url)).body, { groupName: '', expiryRemindDays: [30, 14, 7, 1] }, 'all as it was')
  const account = await user.get(`/api/provider-configs/${config}`)
  t.ok([403, 404].includes(account.status), 'the account at the provider')
}
