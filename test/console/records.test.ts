import t from 'tap'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import {
  addLines,
  addRecord,
  applyAll,
  cell,
  chooseInAccountMenu,
  editCell,
  grid,
  openRecords,
  review,
  signIn,
  staging,
} from './steps.ts'
import { startZones } from './zones.ts'

/* People at work on records, in a real browser, with a real PowerDNS that `dig` asks. */
t.setTimeout(540_000)

const { powerdns, addZone: addZoneBy } = await startZones(t)
const service = await startConsole(t, {
  reconcileTimes: { afterLostAnswer: [0.2, 0.6, 2], late: 1, sweep: 0.2 },
})
const { admin, origin } = service
const browser = await startBrowser(t)
const open = (user?: string) => openConsole(browser, origin, user === undefined ? {} : { user })

const addZone = (name: string, records?: { name: string; value: string }[]) => addZoneBy(admin, name, records)

void t.test('from an empty service to dig showing a record', async (t) => {
  const watched = await open()
  const { page } = watched
  await signIn(page, 'root')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.getByRole('link', { name: 'DNS providers' }).first().click()
  await page.getByRole('link', { name: 'Connect PowerDNS' }).click()
  await page.getByRole('textbox', { name: 'API address' }).fill(powerdns.apiUrl)
  await page.getByLabel('API key').fill('wrong')
  await page.getByRole('button', { name: 'Test and save' }).click()
  await page.getByText('Not saved because the test failed').waitFor()
  await page.getByLabel('API key').fill(powerdns.apiKey)
  await page.getByRole('textbox', { name: 'Name servers for new zones' }).fill('ns1.example.net')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Test and save' }).click()
  await page.getByText('Saved. The provider accepts the credentials.').waitFor()

  await page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  await page.getByRole('link', { name: 'Add domains' }).first().click()
  await page.getByRole('textbox', { name: 'Domain name' }).fill('first.example')
  await page.getByRole('checkbox', { name: /Create the zone/ }).press('Space')
  await page.getByRole('button', { name: 'Add domain', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'first.example' }).waitFor()
  await addRecord(page, { name: 'www', value: '192.0.2.7' })
  await applyAll(page, 1)
  t.same(await powerdns.dig('www.first.example', 'A'), ['192.0.2.7'])
  t.same(await faultsOf(watched), [])
  await watched.context.close()
})

void t.test('200 records are pasted, reviewed, applied and reverted', async (t) => {
  const id = await addZone('pasted.example', [{ name: 'stays', value: '192.0.2.1' }])
  const { page, context } = await open('root')
  await openRecords(page, id)
  const lines = Array.from({ length: 200 }, (_, nth) => `host-${nth} 300 IN A 198.51.100.${nth}`)
  t.same(await powerdns.dig('host-150.pasted.example', 'A'), [])
  await addLines(page, lines)
  await staging(page).getByText('200 new').waitFor()
  await applyAll(page, 200)
  t.same(await powerdns.dig('host-150.pasted.example', 'A'), ['198.51.100.150'])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Reverted').waitFor()
  for (const host of ['host-0', 'host-150', 'host-199'])
    t.same(await powerdns.dig(`${host}.pasted.example`, 'A'), [], host)
  t.same(await powerdns.dig('stays.pasted.example', 'A'), ['192.0.2.1'])
  await context.close()
})

void t.test(
  'single edits are applied at once where somebody wants that, and reviewed where there is something to say',
  async (t) => {
    const id = await addZone('quick.example', [
      { name: 'a', value: '192.0.2.1' },
      { name: 'b', value: '192.0.2.2' },
    ])
    const alias = { recordType: 'CNAME', name: 'alias', value: 'a.quick.example' }
    made(await admin.post(`/api/domains/${id}/records`, alias))
    const { page, context } = await open('root')
    await openRecords(page, id)
    await editCell(page, '192.0.2.1', '192.0.2.11')
    await staging(page).getByText('1 changed').waitFor()
    t.same(await powerdns.dig('a.quick.example', 'A'), ['192.0.2.1'], 'nobody asked for it yet')
    await staging(page).getByRole('button', { name: 'Undo last edit' }).click()
    await chooseInAccountMenu(page, 'root', 'Single edits: Apply immediately')

    await editCell(page, '192.0.2.1', '192.0.2.11')
    await page.getByText('1 change applied').waitFor()
    t.same(await powerdns.dig('a.quick.example', 'A'), ['192.0.2.11'])
    await staging(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Reverted').waitFor()
    t.same(await powerdns.dig('a.quick.example', 'A'), ['192.0.2.1'])

    const dialog = page.getByRole('dialog', { name: 'Review' })
    await cell(page, '192.0.2.1').waitFor()
    await editCell(page, 'a.quick.example', 'nowhere.quick.example')
    await dialog.getByText('nowhere.quick.example', { exact: true }).waitFor()
    t.same(
      await powerdns.dig('alias.quick.example', 'CNAME'),
      ['a.quick.example.'],
      'a warning is seen first',
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await editCell(page, '192.0.2.2', '192.0.2.22')
    await staging(page).getByText('2 changed').waitFor()
    t.same(await powerdns.dig('b.quick.example', 'A'), ['192.0.2.2'], 'several are reviewed together')
    await applyAll(page, 2)

    await editCell(page, 'b', 'alias')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit record' })
    await form.getByRole('textbox', { name: 'Name' }).fill('c')
    await form.getByRole('button', { name: 'Add to changes' }).click()
    await staging(page).waitFor({ state: 'detached' })
    t.same(await powerdns.dig('c.quick.example', 'A'), ['192.0.2.22'])
    await context.close()
  },
)

void t.test('two users edit one record: use theirs, or keep mine', async (t) => {
  const id = await addZone('shared.example', [
    { name: 'a', value: '192.0.2.1' },
    { name: 'b', value: '192.0.2.2' },
  ])
  const { page, context } = await open('root')
  await openRecords(page, id)
  await editCell(page, '192.0.2.1', '192.0.2.11')
  await editCell(page, '192.0.2.2', '192.0.2.12')
  const url = `/api/domains/${id}/records`
  const { records } = made(await admin.get(url))
  for (const record of records as { id: string; name: string; value: string }[]) {
    if (record.name === 'a' || record.name === 'b')
      made(await admin.put(`${url}/${record.id}`, { value: record.value.replace('192.0.2', '203.0.113') }))
  }
  const dialog = await review(page)
  await dialog.getByText('203.0.113.1').waitFor()
  t.ok(await dialog.getByRole('button', { name: /^Apply/ }).isDisabled(), 'nothing is overwritten unseen')
  await dialog.getByRole('button', { name: 'Use theirs' }).first().click()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByText('1 change applied').waitFor()
  const found = [await powerdns.dig('a.shared.example', 'A'), await powerdns.dig('b.shared.example', 'A')]
    .flat()
    .sort()
  t.equal(found.length, 2)
  t.equal(
    found.filter((value) => value.startsWith('203.0.113.')).length,
    1,
    `one of each: ${found.join(', ')}`,
  )
  await context.close()
})

void t.test(
  'the session ends while somebody edits: they sign in above the page and nothing is lost',
  async (t) => {
    const id = await addZone('session.example', [{ name: 'www', value: '192.0.2.1' }])
    await service.addUser('grace', 'admin')
    const { page, context } = await open('grace')
    await openRecords(page, id)
    await editCell(page, '192.0.2.1', '192.0.2.99')
    const { users } = made(await admin.get('/api/users?search=grace'))
    made(await admin.delete(`/api/users/${users[0].id}/sessions`))
    await staging(page).getByRole('button', { name: 'Review' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    const dialog = page.getByRole('dialog', { name: 'Review' })
    await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
    await page.getByText('1 change applied').waitFor()
    t.same(await powerdns.dig('www.session.example', 'A'), ['192.0.2.99'])
    await context.close()
  },
)

void t.test('by the keyboard alone: sign-in, edit, review, apply', async (t) => {
  const id = await addZone('keys.example', [{ name: 'www', value: '192.0.2.1' }])
  const { page, context } = await open()
  const { keyboard } = page
  await page.goto(`/domains/${id}/records`)
  await page.getByRole('textbox', { name: 'Username' }).waitFor()
  const tabTo = async (what: ReturnType<typeof page.locator>) => {
    await what.waitFor()
    for (let presses = 0; presses < 60; presses++) {
      if (
        await what.evaluate((element: { matches(selector: string): boolean }) =>
          element.matches(':focus, :focus-within'),
        )
      )
        return
      await keyboard.press('Tab')
    }
    throw new Error(`The Tab key does not reach ${what.toString()}`)
  }
  await tabTo(page.getByRole('textbox', { name: 'Username' }))
  await keyboard.type('root')
  await keyboard.press('Tab')
  await keyboard.type('correct horse battery staple')
  await keyboard.press('Enter')
  await grid(page).waitFor()
  await tabTo(grid(page).locator('[role=gridcell][tabindex="0"]'))
  for (let row = 0; row < 10 && (await page.locator(':focus').innerText()).trim() !== 'www'; row++)
    await keyboard.press('ArrowDown')
  await keyboard.press('ArrowRight')
  await keyboard.press('ArrowRight')
  await keyboard.press('F2')
  await keyboard.type('192.0.2.42')
  await keyboard.press('Enter')
  await cell(page, '192.0.2.42').waitFor()
  await keyboard.press('Control+Enter')
  await tabTo(page.getByRole('button', { name: 'Apply 1 change' }))
  await keyboard.press('Enter')
  await page.getByText('1 change applied').waitFor()
  t.same(await powerdns.dig('www.keys.example', 'A'), ['192.0.2.42'])
  await context.close()
})
