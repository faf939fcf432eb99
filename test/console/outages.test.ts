import type { Page, Request } from 'playwright-core'
import t from 'tap'
import { openConsole, settled, startBrowser } from './browser.ts'
import { PASSWORD } from '../helpers/app.ts'
import { made, seed } from './seed.ts'
import { startConsole } from './service.ts'
import { cell, editCell, openRecords, staging } from './steps.ts'

/* What is lost on the way, ends, or is gone: it is said, nothing is done twice, and nothing that was typed is lost. */
t.setTimeout(540_000)

const service = await startConsole(t)
const { admin, origin } = service
const { ids } = await seed(service)
const domain = ids['domains'] ?? ''
const browser = await startBrowser(t)
const open = (user: string) => openConsole(browser, origin, { user })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const staged = (page: Page) => staging(page).getByText('1 changed')

void t.test('a write with a lost answer happens once, however often it is retried', async (t) => {
  const { page, context } = await open('root')
  const keys: (string | undefined)[] = []
  let lost = 2
  await page.route('**/api/users', async (route) => {
    const request: Request = route.request()
    if (request.method() !== 'POST') return route.continue()
    keys.push(await request.headerValue('idempotency-key').then((key) => key ?? undefined))
    if (lost-- <= 0) return route.continue()
    // The first arrives, and its answer does not come back.
    if (lost === 1) await route.fetch()
    return lost === 1 ? route.abort('connectionreset') : route.fulfill({ status: 504, body: '' })
  })
  const make = async (username: string) => {
    await page.goto('/users')
    await page.getByRole('button', { name: 'Create account' }).click()
    const form = page.getByRole('dialog', { name: 'Create account' })
    await form.getByRole('textbox', { name: 'Username' }).fill(username)
    await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
    return { form, submit: form.getByRole('button', { name: 'Create account' }) }
  }
  const { form, submit } = await make('emmy')
  await submit.click()
  await form.getByRole('alert').getByText('The service isn’t responding.').waitFor()
  t.equal(keys.length, 1, 'it is not repeated by itself')
  await submit.click()
  await form.getByRole('alert').getByText('HTTP 504').waitFor()
  await submit.click()
  await heading(page, 'emmy').waitFor()
  t.equal(keys.length, 3)
  t.match(keys[0], /^[0-9a-f]{32}$/)
  t.equal(new Set(keys).size, 1, 'the same key')
  t.equal(made(await admin.get('/api/users?search=emmy')).total, 1)

  const other = await make('sofja')
  await other.submit.click()
  await heading(page, 'sofja').waitFor()
  t.equal(new Set(keys).size, 2, 'another intention has another key')
  await context.close()
})

void t.test('a chunk missing after an upgrade: the page reloads once and keeps drafts', async (t) => {
  const { page, context } = await open('root')
  await openRecords(page, domain)
  await editCell(page, '192.0.2.25', '192.0.2.26')
  let loads = 0
  page.on('load', () => loads++)
  page.on('dialog', (dialog) => t.fail(`nobody is asked: ${dialog.type()}`))
  await page.route('**/assets/Templates-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  const link = page.getByRole('link', { name: 'Templates', exact: true }).first()
  const loaded = page.waitForEvent('load')
  await link.hover()
  await loaded
  await staged(page).waitFor()
  await link.click()
  await page.getByText('This page belongs to an older version of Zonekeeper.').waitFor()
  t.equal(loads, 1, 'once')
  await page.unroute('**/assets/Templates-*.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await heading(page, 'Templates').waitFor()
  await page.goBack()
  await staged(page).waitFor()
  await staging(page).getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await context.close()
})

void t.test(
  'offline: edits stay, an unloaded part says so, and everything continues afterwards',
  async (t) => {
    const { page, context } = await open('root')
    await openRecords(page, domain)
    await editCell(page, '192.0.2.25', '192.0.2.27')
    await staging(page).getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review' })
    await dialog.getByRole('button', { name: /^Apply/, disabled: false }).waitFor()
    await context.setOffline(true)
    await dialog.getByRole('button', { name: /^Apply/, disabled: true }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('You’re offline').waitFor()
    await page.getByRole('status').getByText('Reconnecting').waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Audit log', exact: true }).first().click()
    const said = page
      .getByRole('main')
      .getByRole('alert')
      .filter({ hasText: 'The service isn’t responding.' })
    await said.waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: /^(Reload|Try again)$/ }).click()
    await heading(page, 'Audit log').waitFor()
    await page.goto(`/domains/${domain}/records`)
    await staged(page).waitFor()
    await cell(page, '192.0.2.27').waitFor()
    t.ok(await staged(page).isVisible(), 'the draft is there')
    await context.close()
  },
)

void t.test('an unavailable service at the start does not end the session', async (t) => {
  const { page, context } = await open('root')
  let isAway: 'held' | 'away' | null = 'held'
  await page.route('**/api/auth/refresh', (route) => {
    if (isAway === 'held') return undefined
    return isAway === 'away' ? route.fulfill({ status: 503, body: '' }) : route.continue()
  })
  await page.goto('/requests')
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  isAway = 'away'
  await page.reload()
  await page.getByRole('alert').waitFor()
  t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Zonekeeper')
  isAway = null
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'Access requests').waitFor()
  await context.close()
})

void t.test(
  'what another changes is not put under the cursor: it is said, and shown when asked for',
  async (t) => {
    const { page, context } = await open('root')
    await service.addUser('rosalind', 'admin')
    const other = await service.signIn('rosalind')
    await openRecords(page, domain)
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor({ state: 'attached' })
    const value = '198.51.100.7'
    made(
      await other.post(`/api/domains/${domain}/records`, { recordType: 'A', name: 'new', value, ttl: 300 }),
    )
    const note = page.getByRole('alert').filter({ hasText: 'Another user changed this zone.' })
    await note.waitFor()
    t.equal(await cell(page, value).count(), 0)
    await note.getByRole('button', { name: 'Reload records' }).click()
    await cell(page, value).waitFor()
    await context.close()
  },
)

void t.test('another user who signs in gets a fresh page', async (t) => {
  const lise = await service.addUser('lise')
  await service.addUser('otto')
  const { page, context } = await open('lise')
  await page.goto('/account/profile')
  await settled(page)
  made(await admin.delete(`/api/users/${lise}/sessions`))
  await page.getByRole('link', { name: 'Access requests', exact: true }).first().click()
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByRole('textbox', { name: 'Username' }).fill('otto')
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
  const loaded = page.waitForEvent('load')
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await loaded
  await heading(page, 'Access requests').waitFor()
  await page.getByRole('button', { name: 'otto' }).waitFor()
  t.equal(await page.getByText('lise').count(), 0)
  await context.close()
})
