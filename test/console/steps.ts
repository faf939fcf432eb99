import type { Page } from 'playwright-core'
import { PASSWORD } from '../helpers/app.ts'

/* What people do in the console, by the names that they see (in English). */

export async function signIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const grid = (page: Page) => page.getByRole('grid', { name: 'Records' })
export const staging = (page: Page) => page.getByRole('region', { name: 'Unapplied changes' })
/** The first cell that says just that. */
export const cell = (page: Page, text: string) =>
  grid(page).getByRole('gridcell', { name: text, exact: true }).first()

export async function openRecords(page: Page, domainId: string): Promise<void> {
  await page.goto(`/domains/${domainId}/records`)
  await grid(page).waitFor()
}

/** Edits a cell in place, by double click. */
export async function editCell(page: Page, from: string, to: string): Promise<void> {
  await cell(page, from).dblclick()
  await grid(page).getByRole('textbox').fill(to)
  await page.keyboard.press('Enter')
  await cell(page, to).waitFor()
}

/** Stages one record by the form. */
export async function addRecord(page: Page, { name, value }: { name: string; value: string }): Promise<void> {
  await page.getByRole('button', { name: 'Add record' }).first().click()
  const form = page.getByRole('dialog', { name: 'New record' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('textbox', { name: 'Address' }).fill(value)
  await form.getByRole('button', { name: 'Add to changes' }).click()
  await form.waitFor({ state: 'detached' })
}

export async function addLines(page: Page, lines: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Add multiple' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add multiple records' })
  await dialog.getByRole('textbox').fill(lines.join('\n'))
  const words = lines.length === 1 ? '1 record' : `${lines.length} records`
  await dialog.getByRole('button', { name: `Add ${words} to changes` }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Opens the review of what is staged; answers its dialog, with the plan. */
export async function review(page: Page) {
  await staging(page).getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Review' })
  await dialog.getByRole('button', { name: /^Apply/ }).waitFor()
  return dialog
}

/** Applies what is staged, of which the review says as many changes. */
export async function applyAll(page: Page, changes: number): Promise<void> {
  const dialog = await review(page)
  const words = changes === 1 ? '1 change' : `${changes} changes`
  await dialog.getByRole('button', { name: `Apply ${words}` }).click()
  await page.getByText(`${words} applied`).waitFor()
}

/** Chooses something in the menu with the user's name. */
export async function chooseInAccountMenu(page: Page, username: string, action: string): Promise<void> {
  await page.getByRole('button', { name: username, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

export async function signOut(page: Page, username: string): Promise<void> {
  await chooseInAccountMenu(page, username, 'Sign out')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
}
