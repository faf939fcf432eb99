import type { Page } from 'playwright-core'
import type { Messages } from '../../web/messages/en.ts'
import type { Shot, Step } from './shot.ts'

const VIEW = '/domains/$id/records'

/** Two edits, two new records, and a deleted one, without texts of a language. */
export async function stageSome({ page, m, press, isNarrow }: Step): Promise<void> {
  await press(m.records.addMany)
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .fill('cdn 300 IN CNAME edge.cdn.example.\nnews 3600 IN A 192.0.2.45')
  await press(m.zoneFiles.paste.stage(2))
  if (!isNarrow) {
    await edit(page, m, '192.0.2.10', '192.0.2.12')
    await edit(page, m, '2001:db8:20::10', '2001:db8:20::12')
  }
  await filtered(page, m, 'mx2 type:MX')
  await page.getByRole('gridcell', { name: 'MX', exact: true }).first().press('Shift+F10')
  await page.getByRole('menuitem', { name: m.records.remove, exact: true }).click()
  await filtered(page, m, '')
}

const filtered = (page: Page, m: Messages, text: string) => page.getByLabel(m.records.filter).fill(text)

async function edit(page: Page, m: Messages, from: string, to: string): Promise<void> {
  await filtered(page, m, from)
  const cell = page.getByRole('grid').getByRole('gridcell', { name: from, exact: true }).first()
  await cell.dblclick()
  await page.getByRole('grid').getByRole('textbox').fill(to)
  await page.keyboard.press('Enter')
  await filtered(page, m, '')
}

/** The record editor in all its states. */
export const RECORD_SHOTS: Shot[] = [
  {
    view: '/domains/$id/records',
    state: 'a change waits for its confirmation',
    address: ({ later }) => `/domains/${later}/records`,
  },
  { view: VIEW, state: 'changes are staged', isWindow: true, act: stageSome },
  {
    view: VIEW,
    state: 'review of the plan',
    isWindow: true,
    async act(step) {
      await stageSome(step)
      await step.press(step.m.records.staging.review)
      await step.page.getByRole('button', { name: step.m.review.apply(step.isNarrow ? 3 : 5) }).waitFor()
    },
  },
  {
    view: VIEW,
    state: 'discard all?',
    isWindow: true,
    async act(step) {
      await stageSome(step)
      await step.press(step.m.records.staging.discard)
    },
  },
  {
    view: VIEW,
    state: 'a cell is edited',
    isWindow: true,
    only: 'wide',
    act: ({ page }) => page.getByRole('gridcell', { name: '192.0.2.10', exact: true }).first().dblclick(),
  },
  {
    view: VIEW,
    state: 'new record',
    isWindow: true,
    async act({ m, press, dialog }) {
      await press(m.records.add)
      await dialog()
    },
  },
  {
    view: VIEW,
    state: 'form of a TXT record',
    isWindow: true,
    async act({ page, m, dialog }) {
      await page.getByLabel(m.records.filter).fill('_dmarc')
      await page.getByRole('gridcell', { name: 'TXT', exact: true }).first().click()
      await dialog()
    },
  },
  {
    view: VIEW,
    state: 'form of an SRV record',
    isWindow: true,
    async act({ page, m, dialog }) {
      await page.getByLabel(m.records.filter).fill('_sip')
      await page.getByRole('gridcell', { name: 'SRV', exact: true }).first().click()
      await dialog()
    },
  },
  {
    view: VIEW,
    state: 'many records are pasted',
    isWindow: true,
    async act({ page, m, press }) {
      await press(m.records.addMany)
      await page
        .getByRole('dialog')
        .getByRole('textbox')
        .fill(
          'web1 300 IN A 192.0.2.101\nweb2 300 IN A 192.0.2.102\nlist,MX,10 mx1.tidewater.example,1h\nthis is no record\nold IN',
        )
    },
  },
  {
    view: VIEW,
    state: 'records are selected',
    isWindow: true,
    async act({ page, m }) {
      await page.getByLabel(m.records.filter).fill('type:A')
      await page.getByRole('gridcell', { name: 'A', exact: true }).first().focus()
      await page.keyboard.press('Control+a')
    },
  },
  {
    view: VIEW,
    state: 'menu of a row',
    isWindow: true,
    act: ({ page }) =>
      page.getByRole('gridcell', { name: '192.0.2.10', exact: true }).first().press('Shift+F10'),
  },
  {
    view: VIEW,
    state: 'no match for the filter',
    isWindow: true,
    act: ({ page, m }) => page.getByLabel(m.records.filter).fill('type:PTR ttl:<60'),
  },
  {
    view: VIEW,
    state: 'as text',
    address: ({ domains }) => `/domains/${domains}/records?view=text`,
    isWindow: true,
  },
  {
    view: VIEW,
    state: 'not managed here',
    address: ({ domains }) => `/domains/${domains}/records?view=unmanaged`,
  },
  {
    view: VIEW,
    state: '10,000 records',
    address: ({ large }) => `/domains/${large}/records`,
    isWindow: true,
  },
  { view: VIEW, state: 'empty zone', address: ({ empty }) => `/domains/${empty}/records` },
  { view: VIEW, state: 'permissions on a part', user: 'jonas', isWindow: true },
  {
    view: VIEW,
    state: 'read-only records',
    user: 'noor',
    isWindow: true,
    async act({ page, dialog }) {
      await page.getByRole('gridcell', { name: 'A', exact: true }).first().click()
      await dialog()
    },
  },
]
