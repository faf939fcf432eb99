import t from 'tap'
import { startNameServer } from '../helpers/name-server.ts'
import { addDomain, addManual } from '../helpers/zone.ts'
import { faultsOf, openConsole, settled, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'

/* Whose a domain is: offers, leaving, and the proof of a name, in a real browser. */
t.setTimeout(300_000)

const dns = await startNameServer(t)
const service = await startConsole(t, { environment: dns.environment })
const { admin, origin } = service
for (const name of ['ada', 'bob']) await service.addUser(name)
const [ada, bob] = await Promise.all([service.signIn('ada'), service.signIn('bob')])
const browser = await startBrowser(t)
const { id } = await addDomain(ada, await addManual(ada), 'given.example')
await addManual(bob)

void t.test('an overlapping name: the domain is added once the shown record is published', async (t) => {
  const watched = await openConsole(browser, origin, { user: 'bob' })
  const { page, context, seen } = watched
  await page.goto('/domains/add')
  await page.getByRole('textbox', { name: 'Domain name', exact: true }).fill('app.given.example')
  const add = page.getByRole('button', { name: 'Add domain' })
  await add.click()
  await page.getByText('This name overlaps with another user’s domain.').waitFor()
  await page.getByText('Public DNS doesn’t have this record yet.').waitFor()
  const record = await page.getByRole('textbox', { name: 'Record', exact: true }).inputValue()
  const value = await page.getByRole('textbox', { name: 'Value', exact: true }).inputValue()
  t.equal(record, '_zonekeeper-challenge.app.given.example')
  // The browser tells of the refusal.
  seen.splice(0)
  dns.texts.set(record, [value])
  await add.click()
  await page.waitForURL('**/records')
  await settled(page)
  t.same(await faultsOf(watched), [])
  await context.close()
})

void t.test('the owner offers and withdraws a domain; the receiver declines, then accepts', async (t) => {
  const [hers, his] = [
    await openConsole(browser, origin, { user: 'ada' }),
    await openConsole(browser, origin, { user: 'bob' }),
  ]
  await his.page.goto('/domains')
  await hers.page.goto(`/domains/${id}/settings`)
  const offer = async () => {
    await hers.page.getByRole('textbox', { name: 'Username of the new owner' }).fill('bob')
    await hers.page.getByRole('button', { name: 'Transfer domain' }).click()
    await hers.page.getByRole('alertdialog').getByRole('button', { name: 'Transfer domain' }).click()
    await hers.page.getByText('Transfer offered to bob, who can accept until').waitFor()
    await his.page.getByText('ada wants to transfer the domain given.example to you.').waitFor()
  }
  await offer()
  await hers.page.getByRole('button', { name: 'Withdraw offer' }).click()
  await his.page.getByText('ada wants to transfer the domain').waitFor({ state: 'detached' })
  await offer()
  await his.page.getByRole('button', { name: 'Decline' }).click()
  await hers.page.getByText('Transfer offered to bob, who').waitFor({ state: 'detached' })
  t.match(await ada.get(`/api/domains/${id}`), { body: { access: 'owner' } })
  await offer()
  await his.page.getByRole('button', { name: 'Accept' }).click()
  await his.page.getByRole('link', { name: 'given.example', exact: true }).waitFor()
  t.match(await bob.get(`/api/domains/${id}`), { body: { access: 'owner' } })
  t.same(await faultsOf(his), [])
  for (const { context } of [hers, his]) await context.close()
})

void t.test('a delegate gives up access', async (t) => {
  const shared = await addDomain(admin, await addManual(admin), 'shared.example')
  made(await admin.post('/api/assignments', { username: 'ada', domainId: shared.id, permission: 'write' }))
  const watched = await openConsole(browser, origin, { user: 'ada' })
  const { page, context } = watched
  await page.goto(`/domains/${shared.id}/access`)
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/domains')
  await page.getByText('You gave up your access.').waitFor()
  t.equal((await ada.get(`/api/domains/${shared.id}`)).status, 404)
  await settled(page)
  t.same(await faultsOf(watched), [])
  await context.close()
})

void t.test('in Chinese', async (t) => {
  const watched = await openConsole(browser, origin, { user: 'ada', settings: { language: 'zh' } })
  const { page, context } = watched
  await addManual(ada, 'another')
  await page.goto('/domains/add')
  await page.getByRole('textbox', { name: '域名', exact: true }).fill('other.given.example')
  await page.getByRole('button', { name: '添加域名' }).click()
  await page.getByText('此名称与其他用户的域名重叠。').waitFor()
  t.match(
    await page.getByRole('textbox', { name: '值', exact: true }).inputValue(),
    /^zonekeeper-verification=/,
  )
  await context.close()
})
