import t from 'tap'
import { until } from '../helpers/until.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import { addLines, applyAll, cell, editCell, grid, openRecords, review, staging } from './steps.ts'
import { startZones } from './zones.ts'

/* What became of changes: done in part, not known, undone, taken back to a moment. `dig` agrees each time. */
t.setTimeout(540_000)

const { powerdns, front, addZone } = await startZones(t)
const service = await startConsole(t, {
  reconcileTimes: { afterLostAnswer: [0.2, 0.6, 2], late: 1, sweep: 0.2 },
})
const { admin, origin } = service
const browser = await startBrowser(t)

const isPatch = ({ method }: { method: string }) => method === 'PATCH'
/** More than one call to PowerDNS takes. */
const CALL = 500
/** The row of a record, which says what became of it. */
const rowOf = (page: Parameters<typeof grid>[0], name: string) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell', { name, exact: true }) })

void t.test('the provider fails during an apply of several records', async (t) => {
  const id = await addZone(admin, 'dying.example', [{ name: 'stays', value: '192.0.2.1' }])
  const watched = await openConsole(browser, origin, { user: 'root' })
  const { page } = watched
  await openRecords(page, id)
  const more = 3
  await addLines(
    page,
    Array.from({ length: CALL + more }, (_, nth) => `host-${nth} 300 IN A 10.0.${nth >> 8}.${nth & 255}`),
  )
  const dialog = await review(page)
  let writes = 0
  front.fail({ kind: 'reset', applied: false, on: (call) => isPatch(call) && ++writes > 1 })
  // Nor does it say what it holds, until it is back.
  const { promise: isBack, resolve: back } = Promise.withResolvers<void>()
  front.fail({
    kind: 'late',
    until: () => isBack,
    times: Infinity,
    on: (call) => !isPatch(call) && writes > 1,
  })
  await dialog.getByRole('button', { name: `Apply ${CALL + more} changes` }).click()
  await dialog.getByText('Some changes were applied').waitFor()
  await dialog.getByText(`${more} changes are pending`).waitFor()
  const faults = await faultsOf(watched)
  t.same(
    faults.filter((fault) => !fault.includes('502 (Bad Gateway)')),
    [],
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await staging(page).getByText(`${more} new · ${more} pending`).waitFor()
  t.same(await powerdns.dig('host-0.dying.example', 'A'), ['10.0.0.0'], 'what was sent is done')
  t.same(await powerdns.dig(`host-${CALL}.dying.example`, 'A'), [], 'what was not is not')
  await page.getByRole('searchbox').fill('is:pending')
  await page.getByText(`${more} records shown`).waitFor({ state: 'attached' })
  await rowOf(page, `host-${CALL}`).getByText('pending', { exact: true }).waitFor()

  await page.setViewportSize({ width: 360, height: 780 })
  const topOf = async (nth: number) => (await rowOf(page, `host-${CALL + nth}`).boundingBox())?.y ?? 0
  await until('rows are as high as their two lines', async () => (await topOf(0)) - (await topOf(1)) > 60)
  await page.setViewportSize({ width: 1280, height: 860 })

  await page.reload()
  await staging(page).getByText(`${more} new · ${more} pending`).waitFor()
  back()
  await until('it is known that they failed', async () => {
    // A look for which nobody answered puts the next one off for half a minute.
    await service.database.db.updateTable('changes').set({ lease_until: new Date() }).execute()
    return staging(page).getByText(`${more} new · ${more} failed`).isVisible()
  })
  await page.getByRole('searchbox').fill('is:failed')
  await rowOf(page, `host-${CALL}`).getByText('failed', { exact: true }).waitFor()
  const again = await review(page)
  await again.getByText('The provider did not apply the change').first().waitFor()
  await again.getByRole('button', { name: 'Cancel' }).click()
  await applyAll(page, more)
  await staging(page).waitFor({ state: 'detached' })
  t.same(await powerdns.dig(`host-${CALL + more - 1}.dying.example`, 'A'), [
    `10.0.1.${CALL + more - 1 - 256}`,
  ])
  made(await admin.post(`/api/domains/${id}/records`, { recordType: 'A', name: 'own', value: '192.0.2.3' }))
  await page.getByRole('searchbox').fill('own')
  await cell(page, '192.0.2.3').waitFor()
  t.equal(await page.getByText('Another user changed').count(), 0, 'that was no one else')
  const { total } = made(await admin.get(`/api/domains/${id}/records?type=A&limit=1`))
  t.equal(total, 2 + CALL + more, 'each is there once')
  await watched.context.close()
})

void t.test('a lost answer: applied changes are not applied again', async (t) => {
  const id = await addZone(admin, 'lost.example', [
    { name: 'a', value: '192.0.2.1' },
    { name: 'b', value: '192.0.2.2' },
  ])
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await openRecords(page, id)
  await editCell(page, '192.0.2.1', '192.0.2.11')
  const dialog = await review(page)
  front.fail({ kind: 'cut', on: isPatch })
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await dialog.getByText('is pending').waitFor()
  t.ok(await dialog.getByRole('button', { name: /^Apply/ }).isDisabled(), 'it can not be done twice')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await staging(page).waitFor({ state: 'detached' })
  await cell(page, '192.0.2.11').waitFor()
  t.same(await powerdns.dig('a.lost.example', 'A'), ['192.0.2.11'])
  await context.close()
})

void t.test(
  'a whole zone goes back to a moment, one change is undone, and what stands in the way is said',
  async (t) => {
    const id = await addZone(admin, 'back.example', [
      { name: 'a', value: '192.0.2.1' },
      { name: 'b', value: '192.0.2.2' },
    ])
    await service.addUser('grace', 'admin')
    const root = await openConsole(browser, origin, { user: 'root' })
    await openRecords(root.page, id)
    await editCell(root.page, '192.0.2.1', '198.51.100.1')
    await cell(root.page, 'Actions for b').click()
    await root.page.getByRole('menuitem', { name: 'Delete' }).click()
    await applyAll(root.page, 2)
    await editCell(root.page, '198.51.100.1', '198.51.100.11')
    await applyAll(root.page, 1)
    t.same(await powerdns.dig('a.back.example', 'A'), ['198.51.100.11'])

    // Somebody else finds it, and what came after it stands in the way of undoing it alone.
    const grace = await openConsole(browser, origin, { user: 'grace' })
    const { page } = grace
    await page.goto(`/domains/${id}/history`)
    const changes = page.getByRole('list', { name: 'Changes, newest first' }).locator('> li')
    const both = changes.filter({ hasText: '1 changed, 1 deleted' })
    await both.getByRole('button', { name: /Show details/ }).click()
    const diff = both.getByRole('list', { name: 'Records before and after' })
    await diff.getByText('198.51.100.1', { exact: true }).waitFor()
    await diff.getByText('192.0.2.2').waitFor()
    await both.getByRole('button', { name: 'Revert' }).click()
    const undo = page.getByRole('dialog', { name: 'Revert this change' })
    await undo.getByText('a A 198.51.100.1 was changed since').waitFor()
    t.ok(await undo.getByRole('button', { name: /^Revert/ }).isDisabled())
    const refused = await faultsOf(grace)
    t.same(
      refused.filter((fault) => !fault.includes('409 (Conflict)')),
      [],
    )
    await undo.getByRole('button', { name: 'Cancel' }).click()

    const newest = changes.first()
    await newest.getByRole('button', { name: /Show details/ }).click()
    await newest.getByRole('button', { name: 'Revert' }).click()
    await undo.getByRole('button', { name: 'Revert 1 change' }).click()
    await page.getByText('Reverted', { exact: true }).waitFor()
    t.same(await powerdns.dig('a.back.example', 'A'), ['198.51.100.1'], 'that one is back')
    t.same(await powerdns.dig('b.back.example', 'A'), [], 'and no other')

    await both.getByRole('button', { name: /Show details/ }).click()
    await both.getByRole('button', { name: 'Restore to before this change' }).click()
    const restore = page.getByRole('dialog', { name: /^Restore/ })
    await restore.getByText('192.0.2.2').waitFor()
    await restore.getByRole('button', { name: /2 changes/ }).click()
    await restore.waitFor({ state: 'detached' })
    t.same(await powerdns.dig('a.back.example', 'A'), ['192.0.2.1'])
    t.same(await powerdns.dig('b.back.example', 'A'), ['192.0.2.2'])
    await root.page.getByText('Another user changed this zone.').waitFor()
    await root.page.getByRole('button', { name: 'Reload records', exact: true }).click()
    await cell(root.page, '192.0.2.2').waitFor()
    await root.context.close()
    await grace.context.close()
  },
)

void t.test('the reason of a failed sync is shown once', async (t) => {
  const id = await addZone(admin, 'away.example')
  front.heal()
  front.fail({ kind: 'reset', applied: false, times: Infinity, on: () => true })
  t.equal((await admin.post(`/api/domains/${id}/sync`, {})).status, 502)
  const { page, context } = await openConsole(browser, origin, { user: 'root' })
  await page.goto(`/domains/${id}/sync`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  t.equal(await page.getByText(/cannot be reached/).count(), 1)
  await page.getByText('Last successful sync').waitFor()
  t.equal(await page.getByText('The last sync failed').count(), 0)
  front.heal()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The last sync failed').waitFor()
  t.equal(await page.getByText(/cannot be reached/).count(), 1, 'and why, until one succeeds')
  await context.close()
})
