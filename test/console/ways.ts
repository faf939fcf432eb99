import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { grid } from './steps.ts'

/** How somebody works with the console: each does the same with what they have at hand. */
export interface Way {
  name: string
  /** What their browser is like. */
  context: BrowserContextOptions
  press(page: Page, what: Locator): Promise<void>
  /** Writes into a field in the place of what it holds. */
  write(page: Page, field: Locator, text: string): Promise<void>
  /** Changes a value in the grid of records; nothing is applied by it. */
  changeValue(page: Page, from: string, to: string): Promise<void>
}

const valueCell = (page: Page, value: string) =>
  grid(page).getByRole('gridcell', { name: value, exact: true })

/** Of a radio button what stands for it: the input itself is hidden below its label. */
const drawn = async (what: Locator) =>
  (await what.getAttribute('type')) === 'radio' ? what.locator('xpath=ancestor::label') : what

const mouse: Way = {
  name: 'with a mouse',
  context: {},
  press: async (_page, what) => (await drawn(what)).click(),
  write: (_page, field, text) => field.fill(text),
  async changeValue(page, from, to) {
    await valueCell(page, from).dblclick()
    await grid(page).getByRole('textbox').fill(to)
    await page.keyboard.press('Enter')
  },
}

/** So many presses of the Tab key are bearable. */
const MOST_TABS = 60
type Element = { matches(selector: string): boolean }
const hasFocus = (what: Locator) => what.evaluate((element: Element) => element.matches(':focus'))

/** Goes there by the Tab key; of a group of choices, as radio buttons are, one alone is reached, and arrows lead on. */
async function tabTo(page: Page, what: Locator): Promise<void> {
  await what.waitFor()
  for (let presses = 0; presses < MOST_TABS; presses++) {
    if (await hasFocus(what)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not reach ${what.toString()}`)
}

const keyboard: Way = {
  name: 'by the keyboard alone',
  context: {},
  async press(page, what) {
    const role = await what.getAttribute('role')
    const type = await what.getAttribute('type')
    if (type === 'radio') {
      await tabTo(page, page.getByRole('radio', { checked: true }).first())
      for (let presses = 0; presses < 10 && !(await what.isChecked()); presses++)
        await page.keyboard.press('ArrowDown')
      return
    }
    await tabTo(page, what)
    await page.keyboard.press(type === 'checkbox' || role === 'checkbox' ? 'Space' : 'Enter')
  },
  async write(page, field, text) {
    await tabTo(page, field)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  },
  async changeValue(page, from, to) {
    await tabTo(page, grid(page).locator('[role=gridcell][tabindex="0"]'))
    await page.keyboard.press('Control+Home')
    const reached = page.locator('[role=gridcell]:focus')
    while ((await reached.getAttribute('data-cell')) !== 'value') await page.keyboard.press('ArrowRight')
    for (let row = 0; row < 20 && (await reached.innerText()).trim() !== from; row++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('F2')
    await page.keyboard.type(to)
    await page.keyboard.press('Enter')
  },
}

const telephone: Way = {
  name: 'on a telephone',
  context: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  press: async (_page, what) => (await drawn(what)).tap(),
  async write(_page, field, text) {
    await field.tap()
    await field.fill(text)
  },
  async changeValue(page, from, to) {
    await valueCell(page, from).tap()
    const sheet = page.getByRole('dialog', { name: 'Edit record' })
    await this.write(page, sheet.getByRole('textbox', { name: 'Address' }), to)
    await sheet.getByRole('button', { name: 'Add to changes' }).tap()
    await sheet.waitFor({ state: 'detached' })
  },
}

export const WAYS: readonly Way[] = [mouse, keyboard, telephone]
