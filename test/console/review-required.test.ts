import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'
import { addRecord, editCell, openRecords, review, staging } from './steps.ts'

/* Where a domain requires a review, its changes are requested in the dialog that would have applied them. */
t.setTimeout(300_000)

const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)
const config = await addManual(admin)
const adaId = await service.addUser('ada')

async function addDomain(name: string, reviewPolicy: string, value = '192.0.2.1'): Promise<string> {
  const { id } = made(await admin.post('/api/domains', { name, providerConfigId: config }))
  const www = { action: 'create', recordType: 'A', name: 'www', value, ttl: 300 }
  made(await admin.post(`/api/domains/${id}/records/apply`, { changes: [www] }))
  const pattern = { subdomainPattern: '*', permission: 'write' }
  made(await admin.post('/api/assignments', { userId: adaId, domainId: id, ...pattern }))
  made(await admin.put(`/api/domains/${id}`, { reviewPolicy }))
  return id
}

const valuesOf = async (domain: string) =>
  (made(await admin.get(`/api/domains/${domain}/records?limit=100`)).records as { value: string }[]).map(
    ({ value }) => value,
  )
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const openReview = async (page: Page) => {
  await staging(page).getByRole('button', { name: 'Review' }).click()
  return page.getByRole('dialog', { name: 'Review' })
}
async function request(dialog: Locator, title: string): Promise<void> {
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByRole('button', { name: 'Request review' }).click()
}

void t.test('a member requests the review of edits', async (t) => {
  const domain = await addDomain('members.example', 'members')
  const watched = await openConsole(browser, origin, { user: 'ada' })
  const { page, context } = watched
  await openRecords(page, domain)
  await editCell(page, '192.0.2.1', '192.0.2.2')
  await addRecord(page, { name: 'new', value: '192.0.2.3' })
  const dialog = await openReview(page)
  await dialog.getByText('need the approval of a second person').waitFor()
  await dialog.getByText('192.0.2.3').first().waitFor()
  t.equal(await dialog.getByRole('button', { name: /^Apply/ }).count(), 0)
  t.equal(await dialog.getByRole('radio', { name: /emergency/ }).count(), 0, 'a member can not bypass it')
  t.same(await faultsOf(watched), [])
  await dialog.getByLabel('Reason').fill('The host has moved')
  await request(dialog, 'Move www')
  await heading(page, 'Move www').waitFor()
  await page.getByRole('main').getByText('Waiting for another person').waitFor()
  t.notOk((await valuesOf(domain)).includes('192.0.2.3'), 'nothing was changed')
  await openRecords(page, domain)
  t.equal(await staging(page).count(), 0, 'the edits are in the request')
  const { requests } = made(await admin.get('/api/change-requests?canApprove=true'))
  t.match(requests, [{ title: 'Move www', reason: 'The host has moved', created: 1, updated: 1 }])
  await context.close()
})

void t.test('the owner may apply in an emergency', async (t) => {
  const domain = await addDomain('emergency.example', 'everyone')
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await openRecords(page, domain)
  await editCell(page, '192.0.2.1', '192.0.2.2')
  const dialog = await openReview(page)
  await dialog.getByText('Apply as an emergency').click()
  const apply = dialog.getByRole('button', { name: 'Apply without review' })
  t.ok(await apply.isDisabled(), 'not without a reason')
  await dialog.getByLabel('Reason').fill('The old host is down')
  t.same(await faultsOf(watched), [])
  await apply.click()
  await page.getByText('1 change applied').waitFor()
  t.same(await valuesOf(domain), ['192.0.2.2'])
  const { changes } = made(await admin.get(`/api/domains/${domain}/changes`))
  t.match(changes[0], { emergencyReason: 'The old host is down' })
  await page.goto(`/domains/${domain}/history`)
  await page.getByText('The old host is down').waitFor()
  t.ok(await page.getByText('without review').isVisible())
  t.same(await faultsOf(watched), [])
  await context.close()
})

void t.test('a review that is required meanwhile is offered by the refusal', async () => {
  const domain = await addDomain('meanwhile.example', 'none')
  const { page, context } = await openConsole(browser, origin, { user: 'ada' })
  await page.route('**/notifications/stream', (route) => route.abort())
  await openRecords(page, domain)
  await editCell(page, '192.0.2.1', '192.0.2.2')
  const dialog = await review(page)
  made(await admin.put(`/api/domains/${domain}`, { reviewPolicy: 'members' }))
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await request(dialog, 'Move www meanwhile')
  await heading(page, 'Move www meanwhile').waitFor()
  await context.close()
})

void t.test('a revert and a zone file are requested, too', async (t) => {
  const domain = await addDomain('ways.example', 'members')
  const { page, context } = await openConsole(browser, origin, { user: 'ada' })
  await page.goto(`/domains/${domain}/history`)
  await page
    .getByRole('button', { name: /^Show details/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Revert', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Revert this change' })
  await request(dialog, 'Without www')
  await heading(page, 'Without www').waitFor()

  await openRecords(page, domain)
  await page.getByRole('button', { name: 'More' }).last().click()
  await page.getByRole('menuitem', { name: 'Import zone file' }).click()
  await page.getByRole('dialog').getByLabel('Zone file').last().fill('mail 300 IN A 192.0.2.25\n')
  await page.getByRole('dialog').getByRole('button', { name: 'Review' }).click()
  await request(page.getByRole('dialog'), 'A mail server')
  await heading(page, 'A mail server').waitFor()
  const { requests } = made(await admin.get(`/api/domains/${domain}/change-requests`))
  t.match(requests, [{ title: 'A mail server' }, { title: 'Without www' }])
  await context.close()
})

void t.test('a replacement over several domains asks for each that requires it', async (t) => {
  const domain = await addDomain('replace.example', 'members', '192.0.2.77')
  const { page, context } = await openConsole(browser, origin, { user: 'ada' })
  await page.goto('/search?q=192.0.2.77')
  await page.getByRole('checkbox').last().press('Space')
  await page.getByRole('button', { name: 'Replace' }).first().click()
  const asked = page.getByRole('dialog')
  await asked.getByLabel('Replace with').fill('192.0.2.9')
  await asked.getByRole('button', { name: 'Preview changes' }).click()
  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByRole('button', { name: 'Request review' }).click()
  await request(page.getByRole('dialog').last(), 'Replace the address')
  await heading(page, 'Replace the address').waitFor()
  const { requests } = made(await admin.get(`/api/domains/${domain}/change-requests`))
  t.match(requests, [{ title: 'Replace the address', updated: 1 }])
  await context.close()
})

void t.test('the owner sets whose changes need a review', async (t) => {
  const domain = await addDomain('settings.example', 'none')
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await page.goto(`/domains/${domain}/settings`)
  const card = page.getByRole('region', { name: 'Review' })
  await card.getByText('Changes by members').click()
  await card.getByText('ACME challenges').click()
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { reviewPolicy, reviewExempt } = made(await admin.get(`/api/domains/${domain}`))
  t.same({ reviewPolicy, reviewExempt }, { reviewPolicy: 'members', reviewExempt: ['ddns'] })
  await context.close()
})
