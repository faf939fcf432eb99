import type { Page } from 'playwright-core'
import t from 'tap'
import { contentsAt } from '../helpers/zone.ts'
import { mirrorsOf } from '../records/mirrors/mirrors.ts'
import { NEW, OLD, startParent, startTwoProviders } from '../records/mirrors/two-providers.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'

/* A domain at two providers: the state of a mirror, what is done with it, and the whole move from one to the other. */
t.setTimeout(300_000)

const parent = await startParent(t)
const service = await startConsole(t, parent.options)
const { admin, origin } = service
const zone = await startTwoProviders(t, service)
const { domainId, second, secondId, configId } = zone
const browser = await startBrowser(t)
const mirrors = mirrorsOf(zone)
const address = `/domains/${domainId}/mirrors`
const open = (user: string, options: object = {}) => openConsole(browser, origin, { user, ...options })
const main = (page: Page) => page.getByRole('main')
const card = (page: Page) => main(page).getByRole('region', { name: 'second', exact: true })
const list = async () =>
  made(await admin.get(`/api${address}`)).mirrors as { id: string; providerConfigId: string }[]
const idOfMirror = async () => (await list())[0]?.id ?? ''
const there = (name: string) => contentsAt(second, 'example.com', name, 'A')
const providerOf = async () => made(await admin.get(`/api/domains/${domainId}`)).providerConfigId as string
const rrset = (name: string, content: string) => ({
  name: `${name}.example.com.`,
  type: 'A',
  ttl: 300,
  changetype: 'REPLACE',
  records: [{ content, disabled: false }],
})
/** Looks at the view in both languages, light and dark, narrow and wide. */
const LOOKS = (['light', 'dark'] as const).flatMap((scheme) =>
  [1280, 360].map((width) => ({ scheme, width })),
)
async function looksFine(t: { same: (a: unknown, b: unknown, about: string) => unknown }, path = address) {
  for (const locale of ['en-US', 'zh-CN']) {
    const watched = await open('root', { locale })
    await watched.page.goto(path)
    t.same(await faultsOf(watched, LOOKS), [], locale)
    await watched.context.close()
  }
}

await zone.add('A', 'www', '192.0.2.1')

void t.test('a mirror is added, and follows', async (t) => {
  const watched = await open('root')
  const { page, context } = watched
  await page.goto(`/domains/${domainId}/records`)
  await page.getByRole('link', { name: 'Mirrors' }).click()
  await main(page).getByText('No mirrors yet.').waitFor()
  t.same(await faultsOf(watched), [])
  await main(page).getByRole('button', { name: 'Add mirror' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a mirror' })
  await dialog.getByRole('button', { name: /Connection/ }).waitFor()
  t.same(await faultsOf(watched), [])
  await dialog.getByRole('button', { name: 'Add mirror' }).click()
  await card(page).getByText('in step', { exact: true }).waitFor()
  await card(page).getByText(NEW.join(' ')).waitFor()
  t.same(there('www'), ['192.0.2.1'])
  await looksFine(t)
  await context.close()
})

void t.test('a zone that is missing there is created only if asked', async (t) => {
  zone.fake.createZone('lonely.example')
  const { id } = made(
    await admin.post('/api/domains', { name: 'lonely.example', providerConfigId: configId }),
  )
  made(await admin.put(`/api/provider-configs/${secondId}`, { nameServers: NEW }))
  const watched = await open('root')
  const { page, context } = watched
  await page.goto(`/domains/${id}/mirrors`)
  await main(page).getByRole('button', { name: 'Add mirror' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a mirror' })
  await dialog.getByRole('button', { name: 'Add mirror' }).click()
  await dialog.getByRole('button', { name: /Connection/ }).waitFor()
  await dialog.getByText('is not a zone at PowerDNS').waitFor()
  t.notOk(second.zoneNames().includes('lonely.example'))
  await dialog.getByRole('checkbox', { name: 'Create the zone at the provider if missing' }).press('Space')
  await dialog.getByRole('button', { name: 'Add mirror' }).click()
  await card(page).getByText('in step', { exact: true }).waitFor()
  t.ok(second.zoneNames().includes('lonely.example'))
  await context.close()
})

void t.test('a provider that is down: behind, then failed, with its reason', async (t) => {
  const { page, context } = await open('root')
  await page.goto(address)
  second.fail({ kind: 'answer', answer: { status: 503 }, times: Infinity })
  await zone.add('A', 'one', '192.0.2.11')
  await zone.add('A', 'two', '192.0.2.12')
  await card(page).getByText('behind (2 changes)').waitFor()
  await card(page).getByText('The last attempt failed:').waitFor()
  await looksFine(t)
  second.heal()
  second.fail({ kind: 'answer', answer: { status: 401 }, times: Infinity })
  const id = await idOfMirror()
  await mirrors.retry(id, secondId)
  await mirrors.reaches(id, 'failed')
  await card(page).getByText('failed', { exact: true }).waitFor()
  await card(page).getByText('Changes can’t be applied there:').waitFor()
  await looksFine(t)
  second.heal()
  await admin.post(`/api/provider-configs/${secondId}/test`)
  await card(page).getByRole('button', { name: 'Compare and retry' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare second with this domain' })
  await dialog.getByText('192.0.2.11').waitFor()
  await dialog.getByRole('button', { name: 'Sync 2 changes' }).click()
  await card(page).getByText('in step', { exact: true }).waitFor()
  t.same(there('two'), ['192.0.2.12'])
  await context.close()
})

void t.test('what the provider can’t hold is listed', async (t) => {
  second.fail({
    on: ({ method, body }) => method === 'PATCH' && body.includes('"bad.example.com."'),
    kind: 'answer',
    answer: { status: 422, body: JSON.stringify({ error: 'no such records here' }) },
    times: Infinity,
  })
  await zone.add('A', 'bad', '192.0.2.40')
  await mirrors.reaches(await idOfMirror(), 'differs')
  const { page, context } = await open('root')
  await page.goto(address)
  await card(page).getByText('differs', { exact: true }).waitFor()
  const finding = card(page)
    .getByRole('list', { name: 'What the provider can’t hold as it is here' })
    .getByRole('listitem')
    .filter({ hasText: 'bad A 192.0.2.40' })
  await finding.getByText('missing', { exact: true }).waitFor()
  await finding.getByText('no such records here').waitFor()
  await looksFine(t)
  second.heal()
  await context.close()
})

void t.test('a sync that deletes much is refused, then forced by the name', async (t) => {
  second.patch(
    'example.com',
    Array.from({ length: 20 }, (_, i) => rrset(`more${i}`, '198.51.100.1')),
  )
  const watched = await open('root')
  const { page, context } = watched
  await page.goto(address)
  await card(page).getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare second with this domain' })
  await dialog.getByText('more19').waitFor()
  t.same(await faultsOf(watched), [])
  await dialog.getByRole('button', { name: 'Sync 21 changes' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Delete this many records at the mirror?' })
  const force = asked.getByRole('button', { name: 'Delete 20 records' })
  await force.waitFor()
  t.ok(await force.isDisabled(), 'not before the name is typed')
  t.same(there('more1'), ['198.51.100.1'])
  await asked.getByRole('textbox').fill('example.com')
  await force.click()
  await card(page).getByText('in step', { exact: true }).waitFor()
  t.same(there('more1'), [])
  t.same(there('bad'), ['192.0.2.40'])
  await context.close()
})

void t.test('who may not change the domain sees the state, and no actions', async (t) => {
  const ada = await service.addUser('ada')
  const grant = { userId: ada, domainId, permission: 'read' }
  made(await admin.post('/api/assignments', grant))
  const watched = await open('ada')
  const { page, context } = watched
  await page.goto(address)
  const region = main(page).getByRole('region', { name: 'PowerDNS' })
  await region.getByText('in step', { exact: true }).waitFor()
  t.equal(await main(page).getByRole('button').count(), 0)
  t.equal(await main(page).getByRole('link', { name: 'Move to another provider' }).count(), 0)
  t.same(await faultsOf(watched), [])
  await page.goto(`${address}/move?to=${secondId}`)
  await main(page).getByRole('list', { name: 'Steps of the move' }).waitFor()
  t.equal(await main(page).getByRole('button').count(), 0)
  t.same(await faultsOf(watched), [])
  await context.close()
})

void t.test('promoting swaps both, and says what to set at the registrar', async (t) => {
  const watched = await open('root')
  const { page, context } = watched
  await page.goto(address)
  await card(page).getByRole('button', { name: 'Promote' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Promote second?' })
  await asked.getByRole('button', { name: 'Promote' }).click()
  const told = page.getByRole('dialog', { name: 'Switched. Now update the registrar:' })
  await told.getByText('Then set these name servers:').waitFor()
  t.equal(await told.getByRole('textbox').first().inputValue(), NEW[0])
  await told.getByRole('button', { name: 'Done' }).click()
  t.equal(await providerOf(), secondId)
  const old = main(page).getByRole('region', { name: 'PowerDNS', exact: true })
  await old.getByText('in step', { exact: true }).waitFor()
  t.same(await faultsOf(watched), [])
  await old.getByRole('button', { name: 'Promote' }).click()
  await page
    .getByRole('alertdialog', { name: 'Promote PowerDNS?' })
    .getByRole('button', { name: 'Promote' })
    .click()
  await told.getByRole('button', { name: 'Done' }).click()
  t.equal(await providerOf(), configId)
  await card(page).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove mirror' }).click()
  await main(page).getByText('No mirrors yet.').waitFor()
  t.same(await list(), [])
  await context.close()
})

const current = (page: Page, name: string) =>
  main(page)
    .getByRole('list', { name: 'Steps of the move' })
    .locator('[aria-current=step]')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

void t.test('the whole move, by two people and over reloads', async (t) => {
  parent.names = OLD
  const watched = await open('root')
  const { page, context } = watched
  await page.goto(`/domains/${domainId}/settings`)
  await main(page).getByRole('link', { name: 'Move without downtime' }).click()
  const first = current(page, 'Add a mirror at the new provider')
  await first.waitFor()
  t.same(await faultsOf(watched), [])
  second.fail({
    kind: 'answer',
    answer: { status: 503 },
    on: ({ method }) => method === 'PATCH',
    times: Infinity,
  })
  await zone.add('A', 'late', '192.0.2.50')
  await first.getByRole('button', { name: 'Add mirror' }).click()
  const waits = current(page, 'Wait until it is in step')
  await waits.getByText('1 change is still missing there.').waitFor()
  const url = page.url()
  t.match(url, secondId)
  await page.reload()
  await waits.getByText('The last attempt failed:').waitFor()
  await looksFine(t, url)
  second.heal()
  await mirrors.retry(await idOfMirror(), secondId)

  const delegate = current(page, 'Change the delegation')
  await delegate.getByText(`The parent zone names ${OLD.join(' and ')}.`).waitFor()
  for (const [nth, name] of NEW.entries())
    t.equal(await delegate.getByRole('textbox').nth(nth).inputValue(), name)
  await looksFine(t, url)
  parent.names = [...OLD, ...NEW]
  await delegate.getByRole('button', { name: 'Check the parent zone' }).click()
  const verify = current(page, 'Verify at the parent zone')
  await verify.getByText('Name servers of both providers are set.').waitFor()
  t.same(await faultsOf(watched), [])
  await context.close()

  // Another administrator goes on, from the list.
  await service.addUser('grace', 'admin')
  const other = await open('grace')
  await other.page.goto(`${address}/move`)
  await main(other.page).getByRole('button', { name: 'Move to second' }).click()
  await current(other.page, 'Verify at the parent zone').waitFor()
  parent.names = NEW
  await main(other.page).getByRole('button', { name: 'Check the parent zone' }).click()
  const promote = current(other.page, 'Promote the mirror')
  await promote.waitFor()
  t.same(await faultsOf(other), [])
  t.equal(await providerOf(), configId)
  await promote.getByRole('button', { name: 'Promote' }).click()
  await other.page.getByRole('alertdialog').getByRole('button', { name: 'Promote' }).click()
  const remove = current(other.page, 'Remove the old provider')
  await remove.getByText('often two days').waitFor()
  t.equal(await providerOf(), secondId)
  t.equal(await remove.getByText('The parent zone still names').count(), 0)
  await looksFine(t, new URL(other.page.url()).pathname + new URL(other.page.url()).search)
  parent.names = OLD
  await other.page.reload()
  await remove.getByText('The parent zone still names servers of the old provider.').waitFor()
  parent.names = NEW
  await other.page.reload()
  await remove.getByRole('button', { name: 'Remove mirror' }).click()
  await other.page.getByRole('alertdialog').getByRole('button', { name: 'Remove mirror' }).click()
  await main(other.page).getByText('The move is complete').waitFor()
  t.same(await list(), [])
  t.same(await faultsOf(other), [])
  t.same(there('late'), ['192.0.2.50'])
  await other.context.close()
})

void t.test('a parent zone that can’t be asked is left to the user', async (t) => {
  parent.isUp = false
  await admin.post(`/api${address}`, { providerConfigId: configId })
  await mirrors.inStep(await idOfMirror())
  const { page, context } = await open('root')
  await page.goto(`${address}/move?to=${configId}`)
  const verify = current(page, 'Verify at the parent zone')
  await verify.getByText('The parent zone can’t be asked.').waitFor()
  await verify.getByRole('button', { name: 'The name servers have been changed' }).click()
  await current(page, 'Promote the mirror').waitFor()
  await page.reload()
  await current(page, 'Promote the mirror').getByRole('button', { name: 'Promote' }).waitFor()
  t.equal(await providerOf(), secondId, 'nothing is promoted yet')
  await context.close()
})
