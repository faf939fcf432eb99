import t from 'tap'
import { until } from '../helpers/until.ts'
import { startServer } from '../conformance/simulators/server.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'

/* A channel that is made in the console passes on to a real receiver what happens; one that does not take it is seen. */
t.setTimeout(540_000)

/** What the receiver answers: all is well, or it refuses. */
let status = 204
const receiver = await startServer(async () => ({ status, body: status === 204 ? '' : 'no such hook' }))
t.teardown(() => receiver.close())
const told = () => receiver.requests.map(({ body }) => JSON.parse(body) as { title: string })

const service = await startConsole(t, {
  channelTiming: { automatic: true, backoffSeconds: Array<number>(9).fill(2) },
})
const { admin, origin } = service
const providerConfigId = await addManual(admin)
const { id } = made(await admin.post('/api/domains', { name: 'told.example', providerConfigId }))
const addRecord = async (name: string) =>
  made(await admin.post(`/api/domains/${id}/records`, { recordType: 'A', name, value: '192.0.2.1' }))

const browser = await startBrowser(t)
const watched = await openConsole(browser, origin, { user: 'root' })
const { page } = watched
const row = (text: string) => page.getByRole('row').filter({ hasText: text })

void t.test('a webhook is created, tested and notified', async (t) => {
  await page.goto('/channels')
  await page.getByRole('link', { name: 'Add channel' }).first().click()
  await page.getByRole('link', { name: 'Add channel: Webhook', exact: true }).click()
  await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${receiver.url}/hook`)
  await page.getByRole('checkbox', { name: 'All events: Records' }).press('Space')
  await page.getByRole('button', { name: 'Save channel' }).click()
  await page.getByText('Channel saved.').waitFor()

  status = 500
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByText('Test message failed').waitFor()
  await page.getByText('500', { exact: false }).first().waitFor()
  status = 204
  await page.getByRole('button', { name: 'Send test message' }).click()
  await page.getByText('Test message delivered').waitFor()
  await addRecord('www')
  await until('the receiver hears of it', () =>
    told().some(({ title }) => title.includes('www.told.example')),
  )
  await row('record.created').getByText('delivered').waitFor()
  t.same(await faultsOf(watched), [])
})

void t.test('a failing receiver is shown with its reason until it accepts the message', async (t) => {
  status = 503
  const before = receiver.requests.length
  await addRecord('mail')
  await until('it was asked', () => receiver.requests.length > before)
  await page.getByRole('link', { name: 'Channels' }).first().click()
  await row('Webhook').getByText('last message failed').waitFor()
  await page.getByRole('link', { name: 'Webhook' }).click()
  const waiting = row('record.created').filter({ hasText: 'pending' })
  await waiting.getByText('503').waitFor()
  await waiting.getByText('next attempt').waitFor()
  t.same(await faultsOf(watched), [])
  status = 204
  await until(
    'it is tried again',
    () => told().filter(({ title }) => title.includes('mail.told.example')).length > 1,
  )
  await page.reload()
  await row('record.created').first().getByText('delivered').waitFor()
  await page.getByText('last message delivered').waitFor()
  t.equal(await waiting.count(), 0)
})
