import type { Page } from 'playwright-core'
import t from 'tap'
import { RCODE, type Message } from '../../dns/wire/message.ts'
import { typeName } from '../../dns/wire/type-codes.ts'
import { record, startDnsServer, type Reply } from '../helpers/dns-server.ts'
import { until } from '../helpers/until.ts'
import { startZone } from '../helpers/zone.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import { addRecord, applyAll, openRecords } from './steps.ts'

/* A change is followed until all name servers serve it: after the apply, and in the history. */
t.setTimeout(300_000)

const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)
const zone = await startZone(t, { app: service })
const { domainId, configId } = zone

/** Answers what the provider has. */
function serving({ questions: [question] }: Message): Reply {
  const { name = '', type = 0 } = question ?? {}
  const relative = name === 'example.com' ? '@' : name.slice(0, -'.example.com'.length)
  const values = zone.there(relative, typeName(type))
  return {
    isAuthoritative: true,
    rcode: values.length === 0 ? RCODE.NXDOMAIN : RCODE.NOERROR,
    answers: values.map((value) => record(name, 'A', value)),
  }
}
const old = (): Reply => ({ isAuthoritative: true, rcode: RCODE.NXDOMAIN })
const [, slow] = await Promise.all([startDnsServer(t, serving), startDnsServer(t, old)]).then((servers) => {
  const verifyServers = servers.map(({ address, port }) => `${address}:${port}`)
  return admin.put(`/api/provider-configs/${configId}`, { verifyServers }).then(() => servers)
})
await zone.add('A', 'first', '192.0.2.1')
const main = (page: Page) => page.getByRole('main')

void t.test('after an apply, and in the history, it is said how many name servers serve it', async (t) => {
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await openRecords(page, domainId)
  await addRecord(page, { name: 'www', value: '192.0.2.7' })
  await applyAll(page, 1)
  await main(page).getByText('1 of 2 name servers serve this change.').waitFor()
  t.same(await faultsOf(watched), [])
  await main(page).getByRole('link', { name: 'Show name servers' }).click()
  const table = main(page).getByRole('table', { name: 'Name servers' })
  const behind = table.getByRole('row').filter({ hasText: `:${slow.port}` })
  await behind.getByText('serves other records').waitFor()
  await behind.getByText('www A').waitFor()
  await behind.getByText('no records').waitFor()
  t.equal(await table.getByText('serves the change').count(), 1)
  t.same(await faultsOf(watched), [])
  slow.answer = serving
  await main(page).getByText('2 of 2 name servers serve this change.').first().waitFor()
  t.equal(await main(page).getByText('verified', { exact: true }).count(), 2)
  await main(page).getByRole('button', { name: 'Hide', exact: true }).click()
  await main(page).getByText('Your last change').waitFor({ state: 'detached' })
  await context.close()
})

void t.test('a verification that failed can be made again', async (t) => {
  slow.answer = () => ({ rcode: RCODE.REFUSED })
  await zone.add('A', 'ftp', '192.0.2.8')
  const [{ id: change }] = made(await admin.get(`/api/domains/${domainId}/changes`)).changes
  await service.database.db
    .updateTable('verifications')
    .set({ ends_at: new Date(), due_at: new Date() })
    .where('change_id', '=', change)
    .execute()
  const url = `/api/domains/${domainId}/changes/${change}/verification`
  await until('it fails', async () => made(await admin.get(url)).status === 'failed', { within: 20 })
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page, context } = watched
  await page.goto(`/domains/${domainId}/history?change=${change}`)
  await main(page).getByText('not verified in time').waitFor()
  await main(page).getByRole('row').filter({ hasText: 'refused' }).waitFor()
  t.same(await faultsOf(watched), [])
  slow.answer = serving
  await main(page).getByRole('button', { name: 'Verify again' }).click()
  await main(page).getByText('verified', { exact: true }).waitFor()
  await context.close()
})

void t.test('the domain says whether changes are verified, the connection where', async (t) => {
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await page.goto(`/domains/${domainId}/settings`)
  const card = main(page).getByRole('region', { name: 'Verification' })
  await card.getByText('Only when you ask for it').click()
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  t.equal(made(await admin.get(`/api/domains/${domainId}`)).verify, 'off')
  await openRecords(page, domainId)
  await addRecord(page, { name: 'quiet', value: '192.0.2.9' })
  await applyAll(page, 1)
  t.equal(await main(page).getByText('Your last change').count(), 0)

  await page.goto(`/providers/${configId}`)
  const field = main(page).getByRole('textbox', { name: /Name servers to verify changes on/ })
  await field.fill('192.0.2.53:5300')
  await field.press('Enter')
  await main(page).getByRole('button', { name: 'Test and save' }).click()
  await main(page).getByText('The provider accepts the credentials.').waitFor()
  const { verifyServers } = made(await admin.get(`/api/provider-configs/${configId}`))
  t.ok((verifyServers as string[]).includes('192.0.2.53:5300'))
  await context.close()
})
