import { sql } from 'kysely'
import type { Locator } from 'playwright-core'
import t from 'tap'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { addManual, made } from './seed.ts'
import { startConsole } from './service.ts'
import { addLines, cell, editCell, grid, openRecords, review, staging } from './steps.ts'

/* What the record editor shows and takes, in a real browser; records are kept here alone. */
t.setTimeout(300_000)

/** With more changes a zone file goes on as an operation. */
const LARGE = 20
const service = await startConsole(t, { largeChange: LARGE })
const { admin, origin } = service
const config = await addManual(admin)
const browser = await startBrowser(t)

interface Given {
  name: string
  recordType?: string
  value: string
}

async function addZone(name: string, records: Given[] = []): Promise<string> {
  const { id } = made(await admin.post('/api/domains', { name, providerConfigId: config }))
  const all = records.map((record) => ({ recordType: 'A', ttl: 300, ...record }))
  if (all.length > 0) made(await admin.post(`/api/domains/${id}/records/bulk`, { records: all }))
  return id as string
}
const recordsOf = async (id: string): Promise<string[]> =>
  made(await admin.get(`/api/domains/${id}/records?limit=200`)).records.map(
    ({ name, recordType, value }: Required<Given>) => `${name} ${recordType} ${value}`,
  )
const watched = await openConsole(browser, origin, {
  user: 'root',
  permissions: ['clipboard-read', 'clipboard-write'],
})
const { page } = watched
const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
/** Ends a subtest: nothing is wrong with the page, and nothing staged is left. */
async function done(t: { same(found: unknown, wanted: unknown): void }) {
  t.same(await faultsOf(watched), [])
}

void t.test('a diff shows the whole RRset and can be copied as text', async (t) => {
  const three = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((value) => ({ name: 'www', value }))
  const id = await addZone('sets.example', [...three, { name: 'other', value: '192.0.2.9' }])
  await openRecords(page, id)
  await editCell(page, '192.0.2.2', '192.0.2.22')
  await addLines(page, ['new 300 IN A 192.0.2.4', 'new 300 IN A 192.0.2.5'])
  const dialog = await review(page)
  const changes = dialog.getByRole('list', { name: 'Changed' })
  await changes.waitFor()
  const lines = await changes.locator('[class*=line]').allInnerTexts()
  const words = lines.map((line) => line.replaceAll(/\s+/g, ' '))
  t.match(words[0], /Removed: www A 5 min 192\.0\.2\.2$/)
  t.match(words[1], /Added: www A 5 min 192\.0\.2\.22$/)
  t.same(
    words
      .slice(2)
      .map((line) => /Unchanged: www A 5 min (.*)$/.exec(line)?.[1] ?? line)
      .sort(),
    ['192.0.2.1', '192.0.2.3'],
  )
  await dialog.getByRole('button', { name: 'Copy as text' }).click()
  // All groups at once.
  const [removed, added, ...others] = (await clipboard()).trimEnd().split('\n')
  t.same(others.splice(-2), ['+ new 300 A 192.0.2.4', '+ new 300 A 192.0.2.5'])
  const unchanged = others
  t.same([removed, added], ['- www 300 A 192.0.2.2', '+ www 300 A 192.0.2.22'])
  const stayed = ['  www 300 A 192.0.2.1', '  www 300 A 192.0.2.3']
  t.same(unchanged.sort(), stayed)
  await dialog.getByRole('button', { name: 'Apply 3 changes' }).click()
  await page.getByText('3 changes applied').waitFor()

  // The history has the set as it was then, whatever becomes of it.
  const { records } = made(await admin.get(`/api/domains/${id}/records?search=www`))
  const { id: sibling } = records.find(({ value }: Given) => value === '192.0.2.1')
  made(await admin.delete(`/api/domains/${id}/records/${sibling}`))
  await page.goto(`/domains/${id}/history`)
  const change = page.getByRole('listitem').filter({ hasText: '2 new, 1 changed' })
  await change.getByRole('button', { name: /Show details/ }).click()
  await change.getByText('Unchanged:').first().waitFor({ state: 'attached' })
  await change.getByRole('button', { name: 'Copy as text' }).click()
  await page.getByText('Copied').first().waitFor()
  const told = (await clipboard()).trimEnd().split('\n')
  t.same(told.filter((line) => line.startsWith(' ')).sort(), stayed)
  await done(t)
})

void t.test('a large diff renders only visible lines', async (t) => {
  await openRecords(page, await addZone('many.example', [{ name: '@', value: '192.0.2.1' }]))
  await addLines(
    page,
    Array.from({ length: 300 }, (_, nth) => `host-${nth} 300 IN A 198.51.100.${nth % 250}`),
  )
  const dialog = await review(page)
  const items = dialog.getByRole('list', { name: 'New' }).getByRole('listitem')
  await items.first().waitFor()
  t.equal(await items.first().getAttribute('aria-setsize'), '300')
  t.ok((await items.count()) < 150, 'not all are there')
  await dialog.getByRole('region', { name: 'New' }).focus()
  await page.keyboard.press('End')
  await items.and(page.locator('[aria-posinset="300"]')).waitFor()
  await done(t)
})

void t.test('a refused record can be edited, with the reason shown', async (t) => {
  const caa = { name: '@', recordType: 'CAA', value: '0 issue "letsencrypt.org"' }
  await openRecords(page, await addZone('refused.example', [caa]))
  await editCell(page, caa.value, '0 isue "letsencrypt.org"')
  await staging(page).getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Review' })
  await dialog.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit record' })
  await form.getByText(/"isue" is not a CAA tag/).waitFor()
  await form.getByRole('combobox', { name: 'Tag' }).fill('issuewild')
  await page.getByRole('option', { name: /^issuewild/ }).click()
  await form.getByRole('button', { name: 'Add to changes' }).click()
  await cell(page, '0 issuewild "letsencrypt.org"').waitFor()
  t.equal(await grid(page).getByText('failed').count(), 0)
  await done(t)
})

async function openImport() {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Import zone file' }).click()
  return page.getByRole('dialog', { name: 'Import zone file' })
}

void t.test('a zone file is imported, with skipped lines listed', async (t) => {
  const id = await addZone('file.example', [{ name: 'here', value: '192.0.2.1' }])
  await openRecords(page, id)
  const dialog = await openImport()
  const file = ['$ORIGIN file.example.', '$TTL 300', 'new IN A 192.0.2.2', 'broken IN A 192.0.2.999']
  await dialog.getByRole('textbox', { name: 'Zone file' }).fill(file.join('\n'))
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Line 4' }).click()
  t.equal(await page.evaluate('getSelection().toString()'), file[3], 'the line that is wrong is chosen')
  const soa = '@ IN SOA ns1.example.net. hostmaster.example.net. 1 3600 600 86400 300'
  await dialog.getByRole('textbox', { name: 'Zone file' }).fill([...file.slice(0, 3), soa].join('\n'))
  await dialog.getByRole('button', { name: 'Review' }).click()
  const plan = page.getByRole('dialog', { name: 'Review' })
  await plan.getByText('Line 4: @ SOA').waitFor()
  await plan.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByText('1 change applied').waitFor()
  t.match(watched.seen.splice(0), [/400/], 'the file that was refused')
  t.same((await recordsOf(id)).sort(), ['here A 192.0.2.1', 'new A 192.0.2.2'])
  await done(t)
})

void t.test(
  'a plan that does not hold any more is made anew; a large one is followed to its end',
  async (t) => {
    const id = await addZone('large.example', [{ name: 'here', value: '192.0.2.1' }])
    await openRecords(page, id)
    const lines = Array.from({ length: LARGE + 1 }, (_, nth) => `host-${nth} 300 IN A 198.51.100.${nth}`)
    const dialog = await openImport()
    await dialog.getByRole('textbox', { name: 'Zone file' }).fill(lines.join('\n'))
    await dialog.getByRole('button', { name: 'Review' }).click()
    const plan = page.getByRole('dialog', { name: 'Review' })
    const whole = plan.getByRole('button', { name: `Apply ${LARGE + 1} changes` })
    await whole.waitFor()
    // It was applied already, or its hour is over.
    await service.database.db.deleteFrom('kept_plans').execute()
    await whole.click()
    await plan.getByText('This plan is out of date').waitFor()
    t.ok(await whole.isDisabled(), 'it can not be sent once more')
    t.match(watched.seen.splice(0), [/404/])
    await plan.getByRole('button', { name: 'Try again' }).click()
    await whole.and(page.locator(':enabled')).click()
    await plan.getByText(`Done: ${LARGE + 1} changes.`).waitFor()
    await plan.getByRole('button', { name: 'Close' }).last().click()
    await plan.waitFor({ state: 'detached' })
    t.equal(await dialog.count(), 0, 'the file has done its work')
    await cell(page, '198.51.100.7').waitFor()

    // Somebody else was faster: what is left to do is planned anew.
    await openImport()
    await dialog
      .getByRole('textbox', { name: 'Zone file' })
      .fill('a 300 IN A 192.0.2.2\nb 300 IN A 192.0.2.3')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await plan.getByRole('button', { name: 'Apply 2 changes' }).waitFor()
    made(
      await admin.post(`/api/domains/${id}/records`, {
        recordType: 'A',
        name: 'a',
        value: '192.0.2.2',
        ttl: 300,
      }),
    )
    await plan.getByRole('button', { name: 'Apply 2 changes' }).click()
    await plan.getByRole('button', { name: 'Try again' }).click()
    await plan.getByRole('button', { name: 'Apply 1 change' }).click()
    await page.getByText('1 change applied').first().waitFor()
    t.match(watched.seen.splice(0), [/409/])
    t.equal((await recordsOf(id)).length, LARGE + 4)
    await done(t)
  },
)

/** Pastes a text where the focus is. */
const paste = async (text: string) => {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+V')
}

void t.test('the form takes pasted lines and shows hints', async (t) => {
  const id = await addZone('forms.example', [
    { name: 'mail', value: '192.0.2.25' },
    { name: 'alias', recordType: 'CNAME', value: 'mail.forms.example' },
  ])
  await openRecords(page, id)
  await page.getByRole('button', { name: 'Add record' }).click()
  const form = page.getByRole('dialog', { name: 'New record' })
  const name = form.getByRole('textbox', { name: 'Name' })
  await name.focus()
  await paste('forms.example. 600 IN MX 10 alias.forms.example.')
  await form.getByText('The server is a CNAME in this zone').waitFor()
  await form.getByRole('combobox', { name: 'Mail server' }).fill('in1-')
  await page.getByRole('option', { name: /^in1-smtp/ }).click()
  await form.getByText('forms.example. 600 IN MX 10 in1-smtp.messagingengine.com').waitFor()
  await name.focus()
  await paste('@ IN TXT "v=spf1 include:_spf.example.net ~all"')
  await form.getByRole('definition').filter({ hasText: 'senders that this domain allows' }).waitFor()
  await name.focus()
  await paste('_sip._udp.lab IN SRV 10 60 5060 mail.forms.example.')
  await form.getByRole('combobox', { name: 'Protocol' }).fill('tcp')
  await page.keyboard.press('Tab')
  t.equal(await name.inputValue(), '_sip._tcp.lab')
  await name.focus()
  await paste('www IN A 10.0.0.1')
  const address = form.getByRole('textbox', { name: 'Address' })
  await form.getByText('This is a private address').waitFor()
  await address.fill('192.0.2.1\n192.0.2.2')
  await form.getByRole('combobox', { name: 'TTL' }).fill('5m')
  await page.keyboard.press('Tab')
  await address.press('Control+Enter')
  await form.waitFor({ state: 'detached' })
  await staging(page).getByText('2 new').waitFor()
  await cell(page, '192.0.2.1').waitFor()
  await done(t)
})

void t.test('selected records are duplicated and copied; lines are pasted into the grid', async (t) => {
  const id = await addZone('chosen.example', [
    { name: 'old', value: '192.0.2.1' },
    { name: 'old', recordType: 'TXT', value: 'one, two' },
    { name: 'other', value: '192.0.2.2' },
  ])
  await openRecords(page, id)
  await cell(page, '192.0.2.1').click()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Copy as CSV' }).click()
  const csv = ['name,type,ttl,value,comment', 'old,A,300,192.0.2.1,', 'old,TXT,300,"one, two",', '']
  await page.getByText('Copied').first().waitFor()
  t.equal(await clipboard(), csv.join('\r\n'))
  await page.getByRole('button', { name: 'Duplicate under another name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Duplicate under another name' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('new')
  await dialog.getByRole('button', { name: 'Add to changes' }).click()
  await staging(page).getByText('2 new').waitFor()
  await cell(page, '192.0.2.2').click()
  await paste('pasted 300 IN A 192.0.2.3')
  const many = page.getByRole('dialog', { name: 'Add multiple records' })
  await many.getByRole('button', { name: 'Add 1 record to changes' }).click()
  await staging(page).getByText('3 new').waitFor()
  await done(t)
})

void t.test('applied rows flash, unless reduced motion is preferred', async (t) => {
  const names = ['old', 'stays'].map((name, nth) => ({ name, value: `192.0.2.${nth + 1}` }))
  await openRecords(page, await addZone('flash.example', names))
  await editCell(page, '192.0.2.1', '192.0.2.11')
  await addLines(page, ['new 300 IN A 192.0.2.3'])
  const dialog = await review(page)
  await dialog.getByRole('button', { name: 'Apply 2 changes' }).click()
  const applied = grid(page).getByRole('row').filter({ hasText: 'applied' })
  await applied.filter({ hasText: '192.0.2.11' }).waitFor()
  await applied.filter({ hasText: '192.0.2.3' }).waitFor()
  t.equal(await applied.count(), 2, 'and no other')
  const flash = () =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('[data-state=applied]')).animationName`)
  t.equal(await flash(), 'none')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  t.match(await flash(), /applied/)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await done(t)
})

void t.test('records of one name stay together in any sort order', async (t) => {
  const id = await addZone('grouped.example', [
    { name: 'a', value: '192.0.2.9' },
    { name: 'a', value: '192.0.2.1' },
    { name: 'b', value: '192.0.2.5' },
  ])
  await page.goto(`/domains/${id}/records?sort=value&order=desc`)
  const rows = grid(page).getByRole('row').filter({ hasText: '192.0.2.' })
  const shown = async () =>
    (await rows.allInnerTexts()).map((text) =>
      /^.*?([ab])\s.*(192\.0\.2\.\d)/s.exec(text)?.slice(1).join(' '),
    )
  await rows.first().waitFor()
  t.same(await shown(), ['a 192.0.2.9', 'b 192.0.2.5', 'a 192.0.2.1'])
  const group = async (name: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await group('Group by name')
  await page.waitForURL(/group=name/)
  t.same(await shown(), ['a 192.0.2.9', 'a 192.0.2.1', 'b 192.0.2.5'])
  await group('Ungroup')
  await page.waitForURL((url) => !url.searchParams.has('group'))
  await done(t)
})

void t.test('selecting rows with Shift+click selects no text', async (t) => {
  const id = await addZone('shift.example', [
    { name: 'a', value: '192.0.2.1' },
    { name: 'b', value: '192.0.2.2' },
    { name: 'c', value: '192.0.2.3' },
  ])
  await openRecords(page, id)
  await cell(page, '192.0.2.1').click()
  const pick = (row: number) => grid(page).getByRole('row').nth(row).getByRole('gridcell').first()
  await pick(1).click()
  await pick(3).click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  t.equal(await page.evaluate('getSelection().toString()'), '')
  await done(t)
})

void t.test('headers line up with their columns, also next to a scrollbar', async (t) => {
  const many = Array.from({ length: 60 }, (_, at) => ({ name: `m${at}`, value: `192.0.2.${at}` }))
  const id = await addZone('long.example', many)
  const other = await openConsole(await startBrowser(t, { hidesBars: false }), origin, { user: 'root' })
  await openRecords(other.page, id)
  const left = async (what: Locator) => Math.round((await what.boundingBox())?.x ?? 0)
  const heads = grid(other.page).getByRole('columnheader')
  const cells = grid(other.page).getByRole('row').nth(1).getByRole('gridcell')
  const columns = [0, 1, 2, 3, 4, 5, 6]
  const lefts = (of: Locator) => Promise.all(columns.map((at) => left(of.nth(at))))
  t.same(await lefts(heads), await lefts(cells))
})

void t.test('the filter is built from its menu and reduced by its chips', async (t) => {
  const id = await addZone('chips.example', [
    { name: 'www', value: '192.0.2.1' },
    { name: 'www', recordType: 'TXT', value: 'one' },
    { name: '@', recordType: 'MX', value: '10 mail.example.net' },
  ])
  await openRecords(page, id)
  const by = async (word: string) => {
    await page.getByRole('button', { name: 'Filter by' }).click()
    await page.getByRole('menuitem', { name: word }).click()
  }
  await by('Type MX')
  await by('Type TXT')
  const filter = page.getByRole('searchbox', { name: 'Filter' })
  t.equal(await filter.inputValue(), 'type:MX,TXT')
  await page.getByText('2 records shown').waitFor({ state: 'attached' })
  await by('TTL below 5 minutes')
  await page.getByText('No records match the filter').waitFor()
  t.equal(new URL(page.url()).searchParams.get('filter'), 'type:MX,TXT ttl:<300')
  await page.reload()
  const chips = page.getByRole('list', { name: 'Active filters' })
  await chips.getByRole('button', { name: 'Remove ttl:<300' }).click()
  await page.getByText('2 records shown').waitFor({ state: 'attached' })
  // The focus is not lost with the chip.
  await filter.and(page.locator(':focus')).waitFor()
  await chips.getByRole('button', { name: 'Remove type:MX,TXT' }).click()
  await page.getByText('3 records shown').waitFor({ state: 'attached' })
  t.equal(await chips.count(), 0)
  await cell(page, '192.0.2.1').click()
  await page.keyboard.press('/')
  await filter.and(page.locator(':focus')).waitFor()
  await done(t)
})

void t.test('the filter finds records of a large zone that are not loaded', async (t) => {
  const id = await addZone('huge.example', [{ name: 'zz-last', value: '203.0.113.77' }])
  await sql`
    insert into records (id, domain_id, name, type, value, ttl, status)
    select gen_random_uuid(), ${id}, 'host-' || i, 'A', '192.0.2.1', 300, 'active'
    from generate_series(1, 20500) as i`.execute(service.database.db)
  await openRecords(page, id)
  await page.getByText('The first 20,000 are loaded').waitFor()
  t.equal(await grid(page).getByText('203.0.113.77').count(), 0)
  await page.getByRole('searchbox', { name: 'Filter' }).fill('203.0.113')
  await page.getByText('1 of the').waitFor()
  await editCell(page, '203.0.113.77', '203.0.113.78')
  const dialog = await review(page)
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByText('1 change applied').first().waitFor()
  await cell(page, '203.0.113.78').waitFor()
  await done(t)
})
