import { readFileSync } from 'node:fs'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { openConsole, settled, startBrowser } from './browser.ts'
import { addLargeZone, addManual, made } from './seed.ts'
import { startConsole } from './service.ts'
import { addRecord, cell, editCell, grid, openRecords, review, staging } from './steps.ts'

/*
 * What people say of panels like this one: seven complaints, each with a test that would fail if it could be said of this
 * console. Those that another file has are named here, so that they are missed when they go.
 */
t.setTimeout(540_000)

const ELSEWHERE = [
  ['large zones freeze the page, or load for a minute', 'budgets', '10,000 records'],
  ['no result for each row', 'changes', 'the provider fails during an apply of several records'],
  ['two people overwrite each other', 'records', 'two users edit one record: use theirs, or keep mine'],
  ['edits are lost when the session ends', 'records', 'the session ends while somebody edits'],
] as const
for (const [complaint, file, title] of ELSEWHERE)
  void t.test(`“${complaint}”: ${file}.test.ts`, async (t) => {
    const text = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8')
    t.ok(text.includes(`'${title}`), title)
  })

const service = await startConsole(t)
const { admin, origin } = service
const config = await addManual(admin)
async function addDomain(name: string, records: { name: string; value: string }[]): Promise<string> {
  const { id } = made(await admin.post('/api/domains', { name, providerConfigId: config }))
  const all = records.map((record) => ({ recordType: 'A', ttl: 300, ...record }))
  made(await admin.post(`/api/domains/${id}/records/bulk`, { records: all }))
  return id as string
}
const valuesOf = async (id: string) =>
  (made(await admin.get(`/api/domains/${id}/records`)).records as { value: string }[])
    .map(({ value }) => value)
    .sort()
const browser = await startBrowser(t)

void t.test('“it said saved, and nothing was applied; my edits were gone when I came back”', async (t) => {
  const id = await addDomain('staged.example', [{ name: 'www', value: '192.0.2.1' }])
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await openRecords(page, id)
  await editCell(page, '192.0.2.1', '192.0.2.11')
  await staging(page).getByText('1 changed').waitFor()
  t.equal(await page.getByText(/applied$|saved/i).count(), 0, 'nothing says that it is done')
  t.same(await valuesOf(id), ['192.0.2.1'])

  await page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  await page.getByRole('row').filter({ hasText: 'staged.example' }).getByText('draft').waitFor()
  await page.getByRole('link', { name: 'staged.example' }).click()
  await staging(page).getByText('1 changed').waitFor()
  const asked = page.waitForEvent('dialog').then((dialog) => dialog.accept())
  await Promise.all([asked, page.reload()])
  await staging(page).getByText('1 changed').waitFor()
  await cell(page, '192.0.2.11').waitFor()
  t.same(await valuesOf(id), ['192.0.2.1'], 'still')
  await context.close()
})

void t.test('“nothing shows that it is at work”', async (t) => {
  const id = await addDomain('busy.example', [{ name: 'www', value: '192.0.2.1' }])
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await openRecords(page, id)
  await editCell(page, '192.0.2.1', '192.0.2.11')
  const { promise: mayGo, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/records/apply', async (route) => {
    await mayGo
    await route.continue()
  })
  const dialog = await review(page)
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await dialog.getByRole('progressbar').waitFor()
  t.equal(await page.getByText('1 change applied').count(), 0)
  letGo()
  await page.getByText('1 change applied').waitFor()
  await context.close()
})

void t.test('“where is this address used, and how do I change it everywhere?”', async (t) => {
  const old = '203.0.113.77'
  const ids = [
    await addDomain('one.example', [
      { name: 'www', value: old },
      { name: 'other', value: '192.0.2.5' },
    ]),
    await addDomain('two.example', [{ name: 'mail', value: old }]),
  ]
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await page.goto(`/search?q=${old}`)
  await page.getByText('2 records found').waitFor()
  for (const name of ['www', 'mail'])
    await page.getByRole('checkbox', { name: `Select ${name} A ${old}` }).press('Space')
  await page.getByRole('button', { name: 'Replace value' }).click()
  const form = page.getByRole('dialog', { name: 'Replace a value across domains' })
  await form.getByRole('textbox', { name: 'Replace with' }).fill('203.0.113.78')
  await form.getByRole('button', { name: 'Preview changes' }).click()
  const plan = page.getByRole('dialog', { name: 'Planned replacement' })
  await plan.getByText('2 changes in 2 domains.').waitFor()
  await plan.getByRole('button', { name: 'Apply 2 changes' }).click()
  await until('both are changed', async () =>
    (await Promise.all(ids.map(valuesOf))).every((values) => values.includes('203.0.113.78')),
  )
  t.same(await valuesOf(ids[0] ?? ''), ['192.0.2.5', '203.0.113.78'], 'and nothing else')

  // And back, from the history of either domain.
  await page.goto(`/domains/${ids[0]}/history`)
  await page
    .getByRole('button', { name: /^Show details/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Revert in all domains' }).click()
  const undo = page.getByRole('dialog', { name: 'Revert this operation in all its domains' })
  await undo.getByText('2 changes in 2 domains.').waitFor()
  await undo.getByRole('button', { name: 'Apply 2 changes' }).click()
  await until('both are as they were', async () =>
    (await Promise.all(ids.map(valuesOf))).every((values) => values.includes(old)),
  )
  await context.close()
})

void t.test(
  '“edit buttons in each row, fields at the bottom, and I am thrown back to page one”',
  async (t) => {
    const id = await addLargeZone(admin, config, 'long.example', 300)
    const { page, context } = await openConsole(browser, origin, { user: 'root' })
    await openRecords(page, id)
    await page.getByText('300 records shown').waitFor({ state: 'attached' })
    t.equal(await grid(page).getByRole('button', { name: 'Edit' }).count(), 0, 'the cell is edited itself')
    await page.getByRole('searchbox').fill('host-29')
    await page.getByText('11 records shown').waitFor({ state: 'attached' })
    await editCell(page, '10.0.1.39', '10.0.1.139')
    await page.getByText('11 records shown').waitFor({ state: 'attached' })
    t.match(page.url(), /filter=host-29/, 'the filter is in the address')
    await page.getByRole('link', { name: 'History' }).click()
    await settled(page)
    await page.goBack()
    await page.getByText('11 records shown').waitFor({ state: 'attached' })
    await cell(page, '10.0.1.139').waitFor()
    await page.getByRole('searchbox').fill('')
    await addRecord(page, { name: 'zzz', value: '192.0.2.9' })
    const [first] = (await grid(page).getByRole('row').allInnerTexts()).slice(1)
    t.match(first, /zzz/, 'what is new is on top')
    await context.close()
  },
)

void t.test('“I want the zone as text”', async (t) => {
  const id = await addDomain('text.example', [
    { name: 'a', value: '192.0.2.1' },
    { name: 'b', value: '192.0.2.2' },
  ])
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await page.goto(`/domains/${id}/records?view=text`)
  const area = page.getByRole('textbox', { name: 'Zone file' })
  await area.fill((await area.inputValue()).replace('192.0.2.1', '192.0.2.101'))
  await page.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('192.0.2.101').waitFor()
  t.equal(await dialog.getByText('192.0.2.2', { exact: true }).count(), 0, 'only what differs')
  await dialog.getByRole('button', { name: /^Apply/ }).click()
  await until('just that is done', async () => (await valuesOf(id)).join() === '192.0.2.101,192.0.2.2')
  await context.close()
})
