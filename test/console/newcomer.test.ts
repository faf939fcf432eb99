import t from 'tap'
import { PASSWORD } from '../helpers/app.ts'
import { faultsOf, openConsole, startBrowser } from './browser.ts'
import { made } from './seed.ts'
import { startConsole } from './service.ts'
import { staging } from './steps.ts'
import { WAYS } from './ways.ts'
import { startZones } from './zones.ts'

/*
 * Somebody who has never seen the console brings in a zone, changes three records, takes one of them back, and gives a colleague
 * rights on a subdomain: with a mouse, by the keyboard alone, and on a telephone.
 */
t.setTimeout(540_000)

const { powerdns, addZone } = await startZones(t)
const service = await startConsole(t)
const { admin, origin } = service
const browser = await startBrowser(t)

for (const [nth, way] of WAYS.entries())
  void t.test(way.name, async (t) => {
    const zone = `newcomer-${nth}.example`
    const colleague = `colleague-${nth}`
    await service.addUser(colleague)
    const records = ['www', 'mail', 'dev'].map((name, at) => ({ name, value: `192.0.2.${at + 1}` }))
    const before = await addZone(admin, zone, [...records, { name: 'api.dev', value: '192.0.2.9' }])
    // It is at the server, and not here.
    made(await admin.delete(`/api/domains/${before}`))

    const watched = await openConsole(browser, origin, way.context)
    const { page } = watched
    const press = (role: 'button' | 'link' | 'tab' | 'checkbox', name: string | RegExp) =>
      way.press(
        page,
        page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first(),
      )
    const write = (name: string, text: string, role: 'textbox' | 'combobox' = 'textbox') =>
      way.write(page, page.getByRole(role, { name }).first(), text)
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

    await page.goto('/')
    await write('Username', 'root')
    await way.write(page, page.getByLabel('Password', { exact: true }), PASSWORD)
    await press('button', 'Sign in')

    await heading('Dashboard')
    await press('link', 'Domains')
    await heading('Domains')
    await press('link', 'Add domains')
    await heading('Add domains')
    await press('checkbox', `Select ${zone}`)
    await press('button', 'Import 1 zone')
    await page.getByText('1 zone imported').waitFor()
    await way.press(page, page.getByRole('row').filter({ hasText: zone }).getByRole('link', { name: 'open' }))
    await heading(zone)

    const isAt = async (name: string, value: string, what: string) =>
      t.same(await powerdns.dig(`${name}.${zone}`, 'A'), [value], what)
    const apply = async (words: string) => {
      await way.press(page, staging(page).getByRole('button', { name: 'Review' }))
      await press('button', `Apply ${words}`)
      await page.getByText(`${words} applied`).waitFor()
    }
    await way.changeValue(page, '192.0.2.1', '198.51.100.1')
    await way.changeValue(page, '192.0.2.2', '198.51.100.2')
    await apply('2 changes')
    await way.changeValue(page, '192.0.2.3', '198.51.100.3')
    await apply('1 change')
    await isAt('dev', '198.51.100.3', 'the third is there')

    await press('link', 'History')
    const newest = page.getByRole('list', { name: 'Changes, newest first' }).locator('> li').first()
    await way.press(page, newest.getByRole('button', { name: /Show details/ }))
    await way.press(page, newest.getByRole('button', { name: 'Revert' }))
    await press('button', 'Revert 1 change')
    await page.getByText('Reverted', { exact: true }).waitFor()
    await isAt('dev', '192.0.2.3', 'the third is as it was')
    await isAt('www', '198.51.100.1', 'the others are not')

    await press('link', 'Access')
    await press('button', 'Grant access')
    await write('User', colleague, 'combobox')
    await page.keyboard.press('Escape')
    const rights = page.getByRole('dialog', { name: `Grant access to ${zone}` })
    await way.press(page, rights.getByRole('radio', { name: /^Everything below a name/ }))
    await way.write(page, rights.getByRole('textbox', { name: 'Name' }), 'dev')
    await page.getByText('Covers 1 existing name').waitFor()
    await way.press(page, rights.getByRole('button', { name: 'Grant access', exact: true }))
    await page.getByText('Access granted.').waitFor()
    t.same(await faultsOf(watched), [])
    await watched.context.close()

    const theirs = await service.signIn(colleague)
    const { domains } = made(await theirs.get('/api/domains'))
    const seen = made(await theirs.get(`/api/domains/${domains[0].id}/records`)).records as {
      id: string
      name: string
    }[]
    t.same(
      seen.map(({ name }) => name),
      ['api.dev'],
      'the colleague sees what is below the name',
    )
    const changed = { value: '198.51.100.9' }
    made(await theirs.put(`/api/domains/${domains[0].id}/records/${seen[0]?.id}`, changed))
    await isAt('api.dev', '198.51.100.9', 'and changes it')
  })
