import type { Page } from 'playwright-core'
import t from 'tap'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'

/* Health of domains: from the dashboard to the list, to the domain, and to the changes that remove a finding. */
t.setTimeout(300_000)

const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)
const config = await addManual(admin)
const adaId = await service.addUser('ada')

const create = (recordType: string, name: string, value: string, ttl = 3600) => ({
  action: 'create',
  recordType,
  name,
  value,
  ttl,
})

async function addDomain(name: string, changes: object[]): Promise<string> {
  const { id } = made(await admin.post('/api/domains', { name, providerConfigId: config }))
  made(await admin.post(`/api/domains/${id}/records/apply`, { changes }))
  made(await admin.post(`/api/domains/${id}/health/check`))
  return id
}
const main = (page: Page) => page.getByRole('main')
const ttlOf = async (domain: string, name: string) =>
  (
    made(await admin.get(`/api/domains/${domain}/records?search=${name}&in=name`)).records as {
      ttl: number
    }[]
  )[0]?.ttl

const sick = await addDomain('sick.example', [
  create('TXT', '@', 'v=spf1 include=_spf.example.net -all'),
  create('A', 'api', '192.0.2.1', 30),
  create('A', 'db', '10.0.0.5'),
  create('CNAME', 'old', 'gone.sick.example'),
])
await addDomain('other.example', [create('A', 'web', '10.0.0.6')])

void t.test('the dashboard leads to the findings of a severity, which can be filtered', async (t) => {
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await page.goto('/')
  await main(page)
    .getByRole('link', { name: /health warnings$/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
  const rows = main(page).getByRole('row')
  await rows.filter({ hasText: '10.0.0.6' }).waitFor()
  t.equal(await rows.filter({ hasText: 'Malformed SPF record' }).count(), 0, 'errors are not listed')
  await main(page).getByRole('combobox', { name: 'Domain' }).fill('sick')
  await page.getByRole('option', { name: 'sick.example' }).click()
  await rows.filter({ hasText: '10.0.0.6' }).waitFor({ state: 'detached' })
  await rows.filter({ hasText: '10.0.0.5' }).waitFor()
  await main(page)
    .getByRole('button', { name: /Problem/ })
    .click()
  await page.getByRole('option', { name: 'Target does not exist' }).click()
  await rows.filter({ hasText: '10.0.0.5' }).waitFor({ state: 'detached' })
  const row = rows.filter({ hasText: 'gone.sick.example' })
  await row.getByText('old CNAME').waitFor()
  t.same(await faultsOf(watched), [])
  t.match(page.url(), /severity=warning.*code=target.missing|code=target.missing.*severity=warning/)
  await page.reload()
  await row.getByRole('link', { name: 'sick.example' }).click()
  await main(page).getByRole('heading', { name: 'Target does not exist' }).waitFor()
  await context.close()
})

void t.test('a fix is reviewed and applied as a plan, and the domain is checked again', async (t) => {
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await page.goto(`/domains/${sick}/health`)
  const short = main(page).getByRole('list', { name: 'Very short TTL' })
  await short.getByText('api A').waitFor()
  t.equal(
    await main(page)
      .getByRole('list', { name: 'Private address' })
      .getByRole('button', { name: 'Review fix' })
      .count(),
    0,
    'nothing follows from a private address',
  )
  t.same(await faultsOf(watched), [])
  await short.getByRole('button', { name: 'Review fix' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fix: Very short TTL' })
  await dialog.getByRole('button', { name: 'Apply 1 change' }).waitFor()
  t.equal(await ttlOf(sick, 'api'), 30, 'nothing is changed by looking')
  t.same(await faultsOf(watched), [])
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await short.waitFor({ state: 'detached' })
  t.not(await ttlOf(sick, 'api'), 30)
  const { changes } = made(await admin.get(`/api/domains/${sick}/changes?limit=1`))
  t.match(changes[0], { source: 'apply', origin: 'console', status: 'applied' })
  await context.close()
})

void t.test('who has a part of the domain sees its findings, and who only reads gets no fix', async (t) => {
  const assignment = { userId: adaId, domainId: sick, subdomainPattern: 'old', permission: 'read' }
  made(await admin.post('/api/assignments', assignment))
  const watched = await openConsole(browser, origin, { user: 'ada' })
  const { page, context } = watched
  await page.goto(`/domains/${sick}/health`)
  await main(page).getByRole('list', { name: 'Target does not exist' }).getByText('old CNAME').waitFor()
  t.equal(await main(page).getByText('10.0.0.5').count(), 0)
  t.equal(await main(page).getByRole('button', { name: 'Review fix' }).count(), 0)
  t.same(await faultsOf(watched), [])
  await context.close()
})
