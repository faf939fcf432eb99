import t from 'tap'
import { startServer } from '../conformance/simulators/server.ts'
import { openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import { startZones } from './zones.ts'

/* What failed at a provider or a receiver is said in Chinese, with the words that it was told in behind details. */
t.setTimeout(240_000)

const service = await startConsole(t)
const { admin, origin } = service
const zones = await startZones(t)
const domain = await zones.addZone(admin, 'fails.example', [{ name: 'www', value: '192.0.2.1' }])
const other = await zones.addZone(admin, 'there.example')
made(await admin.delete(`/api/domains/${other}`))
const receiver = await startServer(async () => ({ status: 500, body: 'oops' }))
t.teardown(() => receiver.close())
const browser = await startBrowser(t)
const { page } = await openConsole(browser, origin, { user: 'root', locale: 'zh-CN' })
const breakDown = () =>
  zones.front.fail({ kind: 'answer', answer: { status: 500, body: 'broken' }, times: Infinity })

void t.test('a zone that cannot be imported', async (t) => {
  await page.goto('/domains/add')
  await page.getByRole('checkbox', { name: 'there.example' }).press('Space')
  breakDown()
  await page.getByRole('button', { name: '导入 1 个区域' }).click()
  const result = page.getByRole('list', { name: '导入结果' }).getByRole('listitem').first()
  await result.getByText('DNS 服务商返回了错误。').waitFor()
  await result.getByText('原始消息').click()
  const original = result.locator('[lang=en]')
  t.match(await original.innerText(), /PowerDNS/)
  zones.front.heal()
})

void t.test('a failed sync', async (t) => {
  breakDown()
  t.equal((await admin.post(`/api/domains/${domain}/sync`)).status, 502)
  zones.front.heal()
  const words = '无法访问 DNS 服务商，或其应答无效。'
  await page.goto(`/domains/${domain}/sync`)
  await page.getByText(words).waitFor()
  await page.getByText('原始消息').click()
  await page.locator('[lang=en]').getByText('PowerDNS', { exact: false }).waitFor()
  await page.goto('/')
  const failed = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'fails.example' }) })
  await failed.getByText(words).first().waitFor()
  await page.goto('/domains')
  await page.getByTitle(words).waitFor()
  t.equal(await page.getByText('（原文）').count(), 0, 'nothing is left in English')
})

void t.test('a failed message', async () => {
  const channel = {
    channel: 'webhook',
    name: 'Hook',
    config: { url: receiver.url },
    events: ['domain.*'],
    enabled: true,
  }
  const { id } = made(await admin.post('/api/notifications', channel))
  await page.goto(`/channels/${id}`)
  await page.getByRole('button', { name: '发送测试消息' }).click()
  await page.getByRole('alert').getByText('接收方返回 HTTP 状态 500。').waitFor()
})
