import type { Page } from 'playwright-core'
import t from 'tap'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'
import { addRecord, openRecords, review } from './steps.ts'

/* Changes at a time, and changes that are reverted unless somebody confirms them. */
t.setTimeout(300_000)

const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)
const config = await addManual(admin)
await service.addUser('ada')

async function addDomain(name: string): Promise<string> {
  const { id } = made(await admin.post('/api/domains', { name, providerConfigId: config }))
  const first = { action: 'create', recordType: 'A', name: 'first', value: '192.0.2.1' }
  made(await admin.post(`/api/domains/${id}/records/apply`, { changes: [first] }))
  return id
}
const main = (page: Page) => page.getByRole('main')
const namesOf = async (domain: string) =>
  (made(await admin.get(`/api/domains/${domain}/records?limit=100`)).records as { name: string }[]).map(
    ({ name }) => name,
  )
/** As the browser's picker has it: tomorrow at noon. */
const tomorrow = () => `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00`

/** Applies a new record that has to be confirmed within 15 minutes. */
async function applyUnconfirmed(page: Page, domain: string, name: string) {
  await openRecords(page, domain)
  await addRecord(page, { name, value: '192.0.2.7' })
  const dialog = await review(page)
  await dialog.getByRole('button', { name: /Revert unless confirmed/ }).click()
  await page.getByRole('option', { name: 'within 15 minutes' }).click()
  await dialog.getByText('a banner counts down').waitFor()
  return dialog
}
const banner = (page: Page) => main(page).getByText('root changed 1 record.')

void t.test('a change is scheduled, listed and cancelled', async (t) => {
  const domain = await addDomain('scheduled.example')
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await openRecords(page, domain)
  await addRecord(page, { name: 'www', value: '192.0.2.7' })
  const dialog = await review(page)
  await dialog.getByText('At a time', { exact: true }).click()
  t.ok(await dialog.getByRole('button', { name: 'Schedule 1 change' }).isDisabled(), 'not without a time')
  await dialog.getByLabel('Time', { exact: true }).fill(tomorrow())
  t.same(await faultsOf(watched), [])
  await dialog.getByRole('button', { name: 'Schedule 1 change' }).click()
  await page.getByText(/^Scheduled for /).waitFor()
  await dialog.waitFor({ state: 'detached' })
  t.notOk((await namesOf(domain)).includes('www'), 'nothing is applied yet')
  const [waiting] = made(await admin.get(`/api/domains/${domain}/changes?status=scheduled`)).changes
  t.match(waiting, { status: 'scheduled', confirmWithin: null, itemCount: 1 })

  await page.goto(`/domains/${domain}/history`)
  await main(page)
    .getByRole('button', { name: /Status/ })
    .click()
  await page.getByRole('option', { name: 'scheduled' }).click()
  const list = main(page).getByRole('list', { name: /Changes/ })
  await list.getByText('www').waitFor()
  await list.getByRole('button', { name: /^Show details/ }).click()
  await list.getByText('192.0.2.7').waitFor()
  t.equal(await list.getByRole('button', { name: 'Revert' }).count(), 0, 'there is nothing to revert')
  t.same(await faultsOf(watched), [])
  await list.getByRole('button', { name: 'Cancel change' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel change' }).click()
  await main(page).getByText('No changes match the filter.').waitFor()
  t.match(made(await admin.get(`/api/domains/${domain}/changes/${waiting.id}`)), { status: 'cancelled' })
  await context.close()
})

void t.test('a countdown asks for the confirmation, and leaving is warned about', async (t) => {
  const domain = await addDomain('confirmed.example')
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  const dialog = await applyUnconfirmed(page, domain, 'www')
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await banner(page).waitFor()
  await main(page)
    .getByText(/^(?:Time left: )?1[45]:\d\d$/)
    .waitFor()
  t.same(await faultsOf(watched), [])
  await page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  const warning = page.getByRole('alertdialog', { name: 'Leave without confirming?' })
  await warning.getByRole('button', { name: 'Cancel' }).click()
  t.match(new URL(page.url()).pathname, `/domains/${domain}/records`)
  await main(page).getByRole('link', { name: 'Show change' }).click()
  const list = main(page).getByRole('list', { name: /Changes/ })
  await list.getByText('unconfirmed').waitFor()
  await main(page).getByRole('button', { name: 'Confirm', exact: true }).click()
  await banner(page).waitFor({ state: 'detached' })
  await main(page).getByText('Confirmed by root.').waitFor()
  t.same(await faultsOf(watched), [])
  const [change] = made(await admin.get(`/api/domains/${domain}/changes`)).changes
  t.match(change, { confirmation: { status: 'confirmed', confirmedBy: 'root' } })
  t.ok((await namesOf(domain)).includes('www'))
  await context.close()
})

void t.test('everybody who sees the domain sees the countdown; who may write reverts at once', async (t) => {
  const domain = await addDomain('reverted.example')
  const assignment = { username: 'ada', domainId: domain, subdomainPattern: '*', permission: 'read' }
  made(await admin.post('/api/assignments', assignment))
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  const dialog = await applyUnconfirmed(page, domain, 'www')
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await banner(page).waitFor()
  const other = await openConsole(browser, origin, { user: 'ada' })
  await other.page.goto(`/domains/${domain}/records`)
  await banner(other.page).waitFor()
  t.equal(await main(other.page).getByRole('button', { name: 'Confirm' }).count(), 0)
  await main(page).getByRole('button', { name: 'Revert now' }).click()
  await banner(page).waitFor({ state: 'detached' })
  t.notOk((await namesOf(domain)).includes('www'))
  await Promise.all([context.close(), other.context.close()])
})

void t.test('the countdown is right where the clock of the browser is wrong', async (t) => {
  const domain = await addDomain('clock.example')
  const change = { action: 'create', recordType: 'A', name: 'www', value: '192.0.2.7' }
  made(await admin.post(`/api/domains/${domain}/records/apply`, { changes: [change], confirmWithin: 15 }))
  for (const minutes of [10, -10]) {
    const { page, context } = await openConsole(browser, origin, { user: 'root' })
    await page.clock.install({ time: Date.now() + minutes * 60_000 })
    await page.goto(`/domains/${domain}/records`)
    await main(page)
      .getByText(/^(?:Time left: )?1[45]:\d\d$/)
      .waitFor()
    t.equal(
      await page.evaluate(`Math.round((Date.now() - ${Date.now()}) / 60_000)`),
      minutes,
      'its own clock is off',
    )
    await context.close()
  }
})

void t.test('a request for a review carries its time', async (t) => {
  const domain = await addDomain('requested.example')
  made(await admin.put(`/api/domains/${domain}`, { reviewPolicy: 'everyone' }))
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await openRecords(page, domain)
  await addRecord(page, { name: 'www', value: '192.0.2.7' })
  await page
    .getByRole('region', { name: 'Unapplied changes' })
    .getByRole('button', { name: 'Review' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Review changes' })
  await dialog.getByText('At a time', { exact: true }).click()
  await dialog.getByLabel('Time', { exact: true }).fill(tomorrow())
  await dialog.getByLabel('Title').fill('Tomorrow at noon')
  await dialog.getByRole('button', { name: 'Request review' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tomorrow at noon' }).waitFor()
  await main(page)
    .getByText(/^Applied at .* \(.*\)\.$/)
    .waitFor()
  t.same(await faultsOf(watched), [])
  const { requests } = made(await admin.get(`/api/change-requests?domainId=${domain}`))
  t.match(requests, [{ applyAt: String, confirmWithin: null }])
  await context.close()
})
