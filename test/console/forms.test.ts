import { sql } from 'kysely'
import t from 'tap'
import { faultsOf, looksOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'
import { applyAll, cell, grid, openRecords, staging } from './steps.ts'

/* What the editor's form and its cells take and refuse by themselves, in a real browser. */
t.setTimeout(300_000)

const { admin, origin, database } = await startConsole(t)
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
  await page.getByRole('button', { name: 'Add record' }).first().click()
  const form = page.getByRole('dialog', { name: 'New record' })
  await form.getByRole('button', { name: /Type$/ }).click()
  await page.getByRole('option', { name: new RegExp(`^${recordType}\\b`) }).click()
  return { form, stage: form.getByRole('button', { name: 'Add to changes' }) }
}

void t.test('several values of one name and type are added by keyboard', async (t) => {
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
  await value(2).getByText('Enter a whole number from 0 to 65535.').waitFor()
  await value(2).getByText('Enter the full name including its domain').waitFor()
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
  await staging(page).getByRole('button', { name: 'Undo last edit' }).click()
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

void t.test('a pasted zone file is parsed like an imported one', async (t) => {
  await openRecords(
    page,
    await addZone('zonefile.example', [{ name: 'www', recordType: 'A', value: '192.0.2.9' }]),
  )
  await page.getByRole('button', { name: 'Add multiple' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add multiple records' })
  const lines = [
    '$ORIGIN lab.zonefile.example.',
    '$TTL 10m',
    'www A 192.0.2.1',
    '@ MX ( 10',
    '     mail ) ; ours',
  ]
  await dialog.getByRole('textbox').fill([...lines, 'elsewhere.example. A 192.0.2.2'].join('\n'))
  await dialog.getByRole('button', { name: 'Line 6:' }).click()
  t.ok(await dialog.getByRole('button', { name: /to changes/ }).isDisabled(), 'a name of another domain')
  t.match(watched.seen.splice(0), [/400/])
  await dialog.getByRole('textbox').fill(lines.join('\n'))
  await dialog.getByRole('button', { name: 'Add 2 records to changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  await staging(page).getByText('2 new').waitFor()
  await cell(page, '10 mail.lab.zonefile.example').waitFor()
  await cell(page, 'www.lab').waitFor()
  t.same(await faultsOf(watched), [])
})

void t.test('pasted lines of one name and type become its values', async (t) => {
  await openRecords(
    page,
    await addZone('lines.example', [{ name: 'www', recordType: 'A', value: '192.0.2.9' }]),
  )
  for (const [recordType, values] of [
    ['NS', ['ns1.example.net.', 'ns2.example.net.']],
    ['SRV', ['10 60 5060 a.example.net.', '20 60 5060 b.example.net.']],
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

/** What is said of what has the focus. */
const DESCRIPTION = `document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent`

void t.test('a cell shows its error and stages nothing', async (t) => {
  const id = await addZone('cells.example', [
    { name: 'www', recordType: 'A', value: '192.0.2.1' },
    { name: '@', recordType: 'MX', value: '10 mail.example.net' },
  ])
  // As a provider had it before there were rules.
  await sql`
    insert into records (id, domain_id, name, type, value, ttl, status)
    values (gen_random_uuid(), ${id}, 'old', 'CNAME', 'old', 300, 'active')`.execute(database.db)
  await openRecords(page, id)
  const input = grid(page).getByRole('textbox')
  const wrong = page.getByRole('alert')
  /** Begins to edit, types and takes it. */
  const write = async (from: string, to: string) => {
    await cell(page, from).click()
    await keyboard.press('F2')
    await input.fill(to)
    await keyboard.press('Enter')
  }
  for (const [from, to, reason] of [
    ['192.0.2.1', '192.0.2.999', 'Not a valid IPv4 address'],
    ['10 mail.example.net', '10 mail', 'Enter the full name'],
    ['10 mail.example.net', '70000 mail.example.net', 'Enter a whole number from 0 to 65535'],
    ['www', 'a..b', 'Not a valid name'],
    ['1 h', '5x', 'Not a valid time'],
  ] as const) {
    await write(from, to)
    await wrong.filter({ hasText: reason }).waitFor()
    await input.and(focused).waitFor()
    t.ok((await page.evaluate<string>(DESCRIPTION)).includes(reason), 'also to who does not see it')
    if (reason.includes('IPv4')) {
      t.same(await looksOf(page), [])
      // It is left for another one: what was typed stays, and is not staged.
      await cell(page, '10 mail.example.net').click()
      t.equal(await input.inputValue(), to)
      await wrong.waitFor()
      await input.focus()
    }
    await keyboard.press('Escape')
    await wrong.waitFor({ state: 'detached' })
    await cell(page, from).waitFor()
    t.equal(await staging(page).count(), 0, to)
  }
  // It goes as it is corrected, and is taken then; the priority that is left out is kept.
  await write('192.0.2.1', '192.0.2')
  await wrong.waitFor()
  await input.fill('192.0.2.2')
  await wrong.waitFor({ state: 'detached' })
  await keyboard.press('Enter')
  await staging(page).getByText('1 changed').waitFor()
  await write('10 mail.example.net', 'mx.example.net')
  await staging(page).getByText('2 changed').waitFor()

  // What is stored is no fault as long as it is left alone.
  await write('old', 'older')
  await cell(page, 'older').waitFor()
  await cell(page, 'old').click()
  await keyboard.press('F2')
  await keyboard.press('Enter')
  await input.waitFor({ state: 'detached' })
  t.same(await faultsOf(watched), [])
})

void t.test('leaving an unsaved form asks first', async (t) => {
  const template = {
    name: 'Web',
    variables: [],
    records: [{ recordType: 'A', name: 'www', value: '192.0.2.80' }],
  }
  const { id } = made(await admin.post('/api/templates', template))
  const domain = await addZone('notes.example')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const to = (name: string) => page.getByRole('link', { name, exact: true }).first().click()
  const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const places = [
    { path: `/templates/${id}`, view: 'Web', field: 'Description', saved: 'Template saved.' },
    { path: `/domains/${domain}/settings`, view: 'notes.example', field: 'Notes', saved: 'Saved' },
    { path: `/providers/${config}`, view: 'Kept by hand', field: 'Name', saved: null },
  ]
  for (const { path, view, field, saved } of places) {
    await page.goto(path)
    await title(view)
    const box = page.getByRole('textbox', { name: field }).first()
    await to('Domains')
    await title('Domains')
    t.equal(await question.count(), 0, `${path}: nothing was typed`)
    await page.goBack()
    await title(view)
    await box.fill('What took long to type')
    await to('Domains')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    t.equal(await box.inputValue(), 'What took long to type', `${path}: it is still there`)
    await page.goForward()
    await question.waitFor()
    t.same(await looksOf(page, '[role=alertdialog]'), [])
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await title('Domains')
    await page.goto(path)
    await title(view)
    if (saved === null) continue
    await box.fill('Kept')
    await box.locator('xpath=ancestor::form').getByRole('button', { name: /^Save/ }).click()
    await page.getByText(saved, { exact: true }).waitFor()
    await to('Domains')
    await title('Domains')
    t.equal(await question.count(), 0, `${path}: it was saved`)
  }
  t.same(await faultsOf(watched), [])
})
