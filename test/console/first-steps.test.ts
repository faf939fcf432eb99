import t from 'tap'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { startConsole } from './service.ts'
import { addRecord, applyAll, cell, signIn } from './steps.ts'

/* The first steps of the dashboard where no DNS server is at hand; with one: records.test.ts. */
t.setTimeout(300_000)

const service = await startConsole(t)
const browser = await startBrowser(t)

void t.test('the guide leads to a first record in a manual connection and explains it', async (t) => {
  const watched = await openConsole(browser, service.origin)
  const { page } = watched
  await signIn(page, 'root')
  const step = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  const provider = step('Connect a DNS provider')
  await provider.getByText('keeps records here without publishing them').waitFor()
  await provider.getByRole('link', { name: 'Connect provider' }).click()
  await page.getByRole('searchbox', { name: 'Find a DNS provider' }).fill('manual')
  await page.getByRole('link', { name: /^Connect Manual/ }).click()
  await page.getByText('DNS answers don’t change.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Domains' }).waitFor()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await provider.getByText('(done)').waitFor({ state: 'attached' })

  await step('Import your domains').getByRole('link', { name: 'Add domains' }).click()
  await page.getByRole('textbox', { name: 'Domain name' }).fill('by-hand.example')
  await page.getByRole('button', { name: 'Add domain', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'by-hand.example' }).waitFor()
  await addRecord(page, { name: 'www', value: '192.0.2.7' })
  await applyAll(page, 1)
  await cell(page, '192.0.2.7').waitFor()
  await page.getByRole('link', { name: 'Sync' }).click()
  await page.getByText('This domain is managed manually').waitFor()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await step('Add your first record').getByText('(done)').waitFor({ state: 'attached' })
  t.equal(await step('Protect your account').getByText('(done)').count(), 0, 'from facts')
  t.same(await faultsOf(watched), [])
  await watched.context.close()
})
