import t from 'tap'
import { openConsole, startBrowser } from './browser.ts'
import { seed } from './seed.ts'
import { startConsole } from './service.ts'

/* What the service says in English is said in Chinese, with its own words behind details. */
t.setTimeout(240_000)

const service = await startConsole(t)
const { ids } = await seed(service)
const browser = await startBrowser(t)

void t.test('credentials: fields, rights, and what is wrong with a field', async (t) => {
  const { page, context } = await openConsole(browser, service.origin, { user: 'root', locale: 'zh-CN' })
  await page.goto('/providers/new?kind=cloudflare')
  const token = page.getByLabel('API 令牌')
  await token.waitFor()
  await page.getByText('不是 Global API Key', { exact: false }).waitFor()
  await page.getByText('仅在不同于 https://api.cloudflare.com/client/v4 时填写。').waitFor()
  await page.getByText('具有 Zone → Zone → Read', { exact: false }).waitFor()
  await page.getByRole('button', { name: '测试并保存' }).click()
  await page.getByText('必填。', { exact: true }).waitFor()
  t.equal(await token.getAttribute('aria-invalid'), 'true')
  await page.getByText('服务的原文').click()
  await page.getByText('credentials.apiToken is required').waitFor()
  await context.close()
})

void t.test('a plan: why it can not be done', async (t) => {
  const { page, context } = await openConsole(browser, service.origin, { user: 'root', locale: 'zh-CN' })
  await page.goto(`/domains/${ids['domains']}/records`)
  const grid = page.getByRole('grid', { name: '记录' })
  await grid.waitFor()
  await page.getByRole('button', { name: '添加记录' }).click()
  const form = page.getByRole('dialog', { name: '新记录' })
  await form.getByText('主机的地址；有多个时轮流应答。').waitFor()
  await form.getByRole('textbox', { name: '地址', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '批量添加' }).click()
  const dialog = page.getByRole('dialog', { name: '批量添加记录' })
  await dialog.getByRole('textbox').fill('www 300 IN CNAME www.example.net.\nodd 300 IN A 192.0.2.256')
  await dialog.getByRole('button', { name: '添加 2 条记录' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: '尚未应用的更改' }).getByRole('button', { name: '检查' }).click()
  const review = page.getByRole('dialog', { name: '检查更改' })
  await review.getByText('CNAME 必须单独存在', { exact: false }).waitFor()
  await review.getByText('不是 IPv4 地址', { exact: false }).waitFor()
  await review.getByText('服务的原文').first().click()
  await review.getByText('A CNAME must be alone', { exact: false }).waitFor()
  t.equal(await review.getByText('（原文）').count(), 0, 'nothing is left in English')
  await context.close()
})

void t.test('a zone file: what is wrong with its lines, and what is left out', async (t) => {
  const { page, context } = await openConsole(browser, service.origin, { user: 'root', locale: 'zh-CN' })
  await page.goto(`/domains/${ids['domains']}/records`)
  await page.getByRole('grid', { name: '记录' }).waitFor()
  await page.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '导入区域文件' }).click()
  const dialog = page.getByRole('dialog', { name: '导入区域文件' })
  const text = dialog.getByRole('textbox', { name: '区域文件' })
  await text.fill('$TTL soon\nnew A 192.0.2.999\nnew WHAT x')
  await dialog.getByRole('button', { name: '检查' }).click()
  const faults = dialog.getByRole('alert').getByRole('listitem')
  await faults.filter({ hasText: '第 1 行' }).getByText('“soon”不是有效的 TTL。').waitFor()
  await faults.filter({ hasText: '第 2 行' }).getByText('不是 IPv4 地址', { exact: false }).waitFor()
  await faults.filter({ hasText: '第 3 行' }).getByText('“WHAT”不是记录类型。').waitFor()
  await dialog.getByText('服务的原文').click()
  await dialog.getByText('line 1: "soon" is not a TTL').waitFor()
  await text.fill('@ SOA a. b. 1 2 3 4 5\nnew A 192.0.2.99')
  await dialog.getByRole('button', { name: '检查' }).click()
  await page.getByText('SOA 由服务商自己生成。').waitFor()
  t.equal(await page.getByText('（原文）').count(), 0, 'nothing is left in English')
  await context.close()
})

void t.test('kinds of providers, and templates that come with the service', async (t) => {
  const { page, context } = await openConsole(browser, service.origin, { user: 'root', locale: 'zh-CN' })
  await page.goto('/providers')
  await page.getByRole('heading', { name: '手动', exact: true }).waitFor()
  t.equal(await page.getByText('Manual', { exact: true }).count(), 0)
  await page.goto('/templates')
  await page.getByRole('link', { name: '不收发邮件的域名' }).waitFor()
  await page.getByRole('link', { name: 'Google Workspace' }).click()
  await page.getByText('Google Workspace 邮箱').waitFor()
  await page.getByRole('textbox', { name: 'DKIM 选择器' }).waitFor()
  await context.close()
})

void t.test('audit: fields that were changed', async (t) => {
  const { page, context } = await openConsole(browser, service.origin, { user: 'root', locale: 'zh-CN' })
  await page.goto('/audit')
  const details = page.getByText('详细信息', { exact: true })
  await details.first().waitFor()
  for (const one of await details.all()) await one.click()
  const names = page.locator('details[open] th[scope=row]')
  await names.first().waitFor()
  t.same(
    (await names.allTextContents()).filter((name) => !/\p{Script=Han}|^TTL$/u.test(name)),
    [],
  )
  await context.close()
})
