import type { Page } from 'playwright-core'
import t from 'tap'
import type { Client } from '../helpers/app.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'

/* Change requests: those who may approve see them, decide by mouse and keyboard, and see what became of them. */
t.setTimeout(300_000)

const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)
const config = await addManual(admin)
const adaId = await service.addUser('ada')
const ada = await service.signIn('ada')

/** A domain that `ada` may write to. */
async function addDomain(name: string): Promise<string> {
  const { id } = made(await admin.post('/api/domains', { name, providerConfigId: config }))
  const www = { action: 'create', recordType: 'A', name: 'www', value: '192.0.2.1', ttl: 300 }
  made(await admin.post(`/api/domains/${id}/records/apply`, { changes: [www] }))
  made(
    await admin.post('/api/assignments', {
      userId: adaId,
      domainId: id,
      subdomainPattern: '*',
      permission: 'write',
    }),
  )
  return id
}

const create = (name: string, value: string) => ({ action: 'create', recordType: 'A', name, value, ttl: 300 })
const open = async (by: Client, domain: string, title: string, changes: object[]): Promise<string> =>
  made(
    await by.post(`/api/domains/${domain}/change-requests`, { title, reason: 'It opens on Monday', changes }),
  ).id
const valuesOf = async (domain: string) =>
  (made(await admin.get(`/api/domains/${domain}/records?limit=100`)).records as { value: string }[]).map(
    ({ value }) => value,
  )
const main = (page: Page) => page.getByRole('main')
const waiting = (page: Page, count: string) =>
  page.getByRole('link', { name: `Change requests ${count} waiting for you` }).first()

void t.test('who may approve is told, and approves by the keyboard', async (t) => {
  const domain = await addDomain('live.example')
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await page.goto('/')
  await page.getByTitle('Live', { exact: true }).waitFor()
  await open(ada, domain, 'Two hosts', [create('a', '192.0.2.10'), create('b', '192.0.2.11')])
  await waiting(page, '1').click()
  await page.getByRole('heading', { level: 1, name: 'Change requests' }).waitFor()
  await main(page).getByRole('button', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Waiting for you' }).click()
  const row = main(page).getByRole('row').filter({ hasText: 'Two hosts' })
  await row.getByText('2 new').waitFor()
  await row.getByRole('link', { name: 'Two hosts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Two hosts' }).waitFor()
  await main(page).getByText('It opens on Monday').waitFor()
  await main(page).getByRole('list', { name: 'a', exact: true }).getByText('192.0.2.10').waitFor()
  t.same(await faultsOf(watched), [])
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Approve these changes?' })
  await dialog.getByText('2 changes of live.example are applied immediately.').waitFor()
  t.same(await faultsOf(watched), [])
  await dialog.getByRole('button', { name: 'Approve and apply' }).click()
  await main(page).getByText('Applied. Approved by root').waitFor()
  await waiting(page, '1').waitFor({ state: 'detached' })
  t.ok((await valuesOf(domain)).includes('192.0.2.11'))
  await main(page).getByRole('link', { name: 'Show in history' }).click()
  await main(page).getByText('192.0.2.10').waitFor()
  t.same(await faultsOf(watched), [])
  await main(page).getByRole('link', { name: 'Change request by ada' }).click()
  await page.getByRole('heading', { level: 1, name: 'Two hosts' }).waitFor()
  await context.close()
})

void t.test('a request that was edited meanwhile is shown before it can be approved', async (t) => {
  const domain = await addDomain('edited.example')
  const id = await open(ada, domain, 'One host', [create('c', '192.0.2.20')])
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  // Nothing tells the page of it.
  await page.route('**/notifications/stream', (route) => route.abort())
  await page.goto(`/change-requests/${id}`)
  await main(page).getByRole('button', { name: 'Approve' }).waitFor()
  const changes = [create('c', '192.0.2.21')]
  made(await ada.put(`/api/change-requests/${id}`, { changes, title: 'Another host' }))
  await main(page).getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
  const note = main(page).getByRole('alert')
  await note.getByText('Title before: One host').waitFor()
  await note.getByRole('list', { name: 'Added since you opened it' }).getByText('192.0.2.21').waitFor()
  await note.getByRole('list', { name: 'Removed since you opened it' }).getByText('192.0.2.20').waitFor()
  t.ok(await main(page).getByRole('button', { name: 'Approve' }).isDisabled())
  t.notOk((await valuesOf(domain)).includes('192.0.2.21'), 'nothing was applied')
  await note.getByRole('button', { name: 'I’ve seen the changes' }).click()
  await main(page).getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
  await main(page).getByText('Applied. Approved by root').waitFor()
  t.ok((await valuesOf(domain)).includes('192.0.2.21'))
  await context.close()
})

void t.test('people talk about a request, and reject it with a reason', async (t) => {
  const domain = await addDomain('talk.example')
  const id = await open(ada, domain, 'A third host', [create('d', '192.0.2.30')])
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await page.goto(`/change-requests/${id}`)
  await main(page).getByRole('button', { name: 'Reject' }).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('Is the address right?')
  await main(page).getByRole('button', { name: 'Add comment' }).click()
  await main(page).getByRole('listitem').filter({ hasText: 'root commented' }).waitFor()
  await main(page).getByRole('heading', { name: 'Timeline' }).click()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject this request?' })
  await dialog.getByLabel('Reason').fill('The address belongs to others')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await main(page).getByText('Rejected. Nothing was changed.').waitFor()
  await context.close()
  const { status, timeline } = made(await ada.get(`/api/change-requests/${id}`))
  t.equal(status, 'rejected')
  t.match(timeline, [{}, { text: 'Is the address right?' }, { text: 'The address belongs to others' }])
})

void t.test('the author withdraws, and plans an outdated one again', async (t) => {
  const domain = await addDomain('again.example')
  const { records } = made(await admin.get(`/api/domains/${domain}/records?type=A`))
  const { id: recordId, version } = records[0] as { id: string; version: number }
  const change = [{ action: 'update', recordId, version, value: '192.0.2.40' }]
  const id = await open(ada, domain, 'Move www', change)
  const ttl = [{ action: 'update', recordId, version, ttl: 600 }]
  made(await admin.post(`/api/domains/${domain}/records/apply`, { changes: ttl }))
  made(await admin.post(`/api/change-requests/${id}/approve`, { revision: 1 }))
  const watched = await openConsole(browser, origin, { user: 'ada' })
  const { page, context } = watched
  await page.goto(`/domains/${domain}/change-requests?status=outdated`)
  await main(page).getByRole('link', { name: 'Move www' }).click()
  await main(page).getByText('so nothing was applied').first().waitFor()
  await main(page).getByRole('button', { name: 'Plan again' }).click()
  await main(page).getByText('Waiting for another person').waitFor()
  t.equal(await main(page).getByRole('button', { name: 'Approve' }).count(), 0)
  await main(page).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit request' })
  await dialog.getByLabel('Title').fill('Move www again')
  await dialog.getByRole('button', { name: 'Save and plan again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Move www again' }).waitFor()
  await main(page).getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await main(page).getByText('Withdrawn by the author.').waitFor()
  t.same(await faultsOf(watched), [])
  await context.close()
})

void t.test('the author changes the time of an open request, and leaves a change out', async (t) => {
  const domain = await addDomain('timed.example')
  const { records } = made(await admin.get(`/api/domains/${domain}/records?type=A`))
  const [{ id: recordId, version }] = records as [{ id: string; version: number }]
  const id = await open(ada, domain, 'Three changes', [
    { action: 'update', recordId, version, ttl: 600 },
    create('e', '192.0.2.50'),
    create('f', '192.0.2.51'),
  ])
  made(await ada.put(`/api/change-requests/${id}`, { confirmWithin: 7 }))
  const watched = await openConsole(browser, origin, { user: 'ada' })
  const { page, context } = watched
  await page.goto(`/change-requests/${id}`)
  await main(page).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit request' })
  const save = dialog.getByRole('button', { name: 'Save and plan again' })
  await dialog.getByRole('button', { name: /within 7 minutes/ }).waitFor()
  await dialog.getByText('At a time', { exact: true }).click()
  t.ok(await save.isDisabled(), 'not without a time')
  await dialog.getByLabel('Time', { exact: true }).fill('2020-01-01T12:00')
  await dialog.getByRole('button', { name: 'Leave out f A 192.0.2.51' }).press('Enter')
  await dialog.getByText('left out', { exact: true }).waitFor()
  t.same(await faultsOf(watched), [])
  await save.click()
  await dialog.locator('input[name=applyAt][aria-invalid=true]').waitFor()
  watched.seen.splice(0)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Time', { exact: true }).fill(`${tomorrow}T12:00`)
  await dialog.getByRole('button', { name: /Revert unless confirmed/ }).click()
  await page.getByRole('option', { name: 'within 15 minutes' }).click()
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  await main(page).getByRole('list', { name: 'e', exact: true }).getByText('192.0.2.50').waitFor()
  t.equal(await main(page).getByText('192.0.2.51').count(), 0)
  t.match(made(await ada.get(`/api/change-requests/${id}`)), {
    status: 'open',
    revision: 3,
    created: 1,
    updated: 1,
    deleted: 0,
    applyAt: String,
    confirmWithin: 15,
    plan: { updates: [{ recordId, after: { ttl: 600 } }], creates: [{ after: { name: 'e' } }] },
  })
  await main(page).getByRole('button', { name: 'Edit' }).click()
  await dialog.getByText('Now', { exact: true }).click()
  for (const record of ['e A 192.0.2.50', 'www A 192.0.2.1'])
    await dialog.getByRole('button', { name: `Leave out ${record}` }).click()
  t.ok(await save.isDisabled(), 'something must be left')
  await dialog.getByRole('button', { name: 'Keep e A 192.0.2.50' }).click()
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  t.match(made(await ada.get(`/api/change-requests/${id}`)), {
    applyAt: null,
    confirmWithin: 15,
    created: 1,
    updated: 0,
  })
  t.same(await faultsOf(watched), [])
  await context.close()
})
