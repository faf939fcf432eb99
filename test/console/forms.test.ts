import t from 'tap'
import { faultsOf, looksOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'
import { applyAll, cell, grid, openRecords, staging } from './steps.ts'

/* What the editor's form and its cells take and refuse by themselves, in a real browser. */
t.setTimeout(300_000)

const { admin, origin } = await startConsole(t)
const config = await addManual(admin)
const watched = await openConsole(await startBrowser(t), origin, {
  user: 'root',
  permissions: ['clipboard-read', 'clipboard-write'],
})
const { page } = watched
const { keyboard } = page

async function addZone(name: string, records: { name: string; recordType: string; value: string }[] = []) {
  const { id } = made(await admin.post('/api/domains', { name, providerConfigId: config }))
  if (records.length > 0) made(await admin.post(`/api/domains/${id}/records/bulk`, { records }))
  return id as string
}
const recordsOf = async (id: string): Promise<string[]> =>
  made(await admin.get(`/api/domains/${id}/records?limit=200`)).records.map(
    ({ name, recordType, value }: Record<string, string>) => `${name} ${recordType} ${value}`,
  )
const focused = page.locator(':focus')

async function newRecord(recordType: string) {
  await page.getByRole('button', { name: 'Add a record' }).first().click()
  const form = page.getByRole('dialog', { name: 'New record' })
  await form.getByRole('button', { name: /Type$/ }).click()
  await page.getByRole('option', { name: new RegExp(`^${recordType}\\b`) }).click()
  return { form, stage: form.getByRole('button', { name: 'Add to the changes' }) }
}

void t.test('several values of one name and type are made at once, by the keyboard', async (t) => {
  const id = await addZone('rows.example', [{ name: 'mail', recordType: 'A', value: '192.0.2.25' }])
  await openRecords(page, id)
  const { form, stage } = await newRecord('MX')
  const value = (nth: number) => form.getByRole('group', { name: `Value ${nth}` })
  const priority = (nth: number) => value(nth).getByRole('textbox', { name: 'Priority' })
  const server = (nth: number) => value(nth).getByRole('combobox', { name: 'Mail server' })
  await form.getByRole('textbox', { name: 'Priority' }).fill('10')
  await form.getByRole('combobox', { name: 'Mail server' }).fill('mail.rows.example')
  await keyboard.press('Shift+Enter')
  await priority(2).and(focused).waitFor()
  await keyboard.type('70000')
  await keyboard.press('Tab')
  await keyboard.type('mail2')
  await form.getByRole('button', { name: 'Add another value' }).press('Enter')
  await priority(3).and(focused).waitFor()
  await keyboard.press('Shift+Enter')
  await priority(4).and(focused).waitFor()
  await keyboard.press('Backspace')
  await priority(3).and(focused).waitFor()
  t.equal(await value(4).count(), 0, 'an empty one is taken away')

  await keyboard.press('Control+Enter')
  // What is wrong stands where it is wrong; an empty row is no fault.
  await priority(2).and(focused).waitFor()
  t.equal(await priority(2).getAttribute('aria-invalid'), 'true')
  await value(2).getByText('A whole number from 0 to 65535 is needed.').waitFor()
  await value(2).getByText('The whole name is needed with its domain').waitFor()
  t.equal(await form.locator('[aria-invalid=true]').count(), 2, 'and nothing else is')
  t.same(await looksOf(page, '[role=dialog]'), [])
  await priority(2).fill('20')
  await server(2).fill('mail2.rows.example')
  t.equal(await form.locator('[aria-invalid=true]').count(), 0, 'nothing is wrong with what is typed anew')
  await value(3).getByRole('button', { name: 'Remove value 3' }).press('Enter')
  await priority(2).and(focused).waitFor()
  await form.getByText('IN MX 20 mail2.rows.example').waitFor()
  await stage.click()
  await form.waitFor({ state: 'detached' })
  await staging(page).getByText('2 new').waitFor()
  await staging(page).getByRole('button', { name: 'Undo the last edit' }).click()
  await staging(page)
    .getByText(/\d new/)
    .waitFor({ state: 'detached' })
  await keyboard.press('Control+Shift+Z')
  await applyAll(page, 2)
  t.same((await recordsOf(id)).filter((one) => one.includes('MX')).sort(), [
    '@ MX 10 mail.rows.example',
    '@ MX 20 mail2.rows.example',
  ])
  t.same(await faultsOf(watched), [])
})

void t.test('lines of one name and type that are pasted are its values', async (t) => {
  await openRecords(
    page,
    await addZone('lines.example', [{ name: 'www', recordType: 'A', value: '192.0.2.9' }]),
  )
  for (const [recordType, values] of [
    ['NS', ['ns1.example.net', 'ns2.example.net']],
    ['SRV', ['10 60 5060 a.example.net', '20 60 5060 b.example.net']],
    ['CAA', ['0 issue "letsencrypt.org"', '0 iodef "mailto:a@example.net"']],
    ['TXT', ['"one"', '"two"']],
    ['A', ['192.0.2.1', '192.0.2.2']],
  ] as const) {
    const { form, stage } = await newRecord(recordType)
    await form.getByRole('textbox', { name: 'Name' }).focus()
    const lines = values.map((value) => `_sip._tcp.sub IN ${recordType} ${value}`).join('\n')
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines)})`)
    await keyboard.press('Control+V')
    if (recordType !== 'A') {
      const last = form.getByRole('group', { name: 'Value 2' })
      await last.waitFor()
      await last.getByRole('button', { name: 'Remove value 2' }).waitFor()
    }
    await stage.click()
    await form.waitFor({ state: 'detached' })
  }
  await staging(page).getByText('10 new').waitFor()
  for (const text of ['ns2.example.net', '20 60 5060 b.example.net', '0 iodef "mailto:a@example.net"', 'two'])
    await cell(page, text).waitFor()
  const { form } = await newRecord('CNAME')
  t.equal(await form.getByRole('button', { name: 'Add another value' }).count(), 0, 'an alias stands alone')
  await keyboard.press('Escape')
  t.same(await faultsOf(watched), [])
  await grid(page).waitFor()
})
