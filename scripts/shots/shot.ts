import type { Page } from 'playwright-core'
import type { Messages } from '../../web/messages/en.ts'
import type { World } from './world.ts'

/** One picture: a view, in a state that `act` brings about through the texts of the page. */
export interface Shot {
  /** The path of the view, as in web/routes/. */
  view: string
  state: string
  /** The path to open; by default the view itself, with the id of the world's. */
  address?: (ids: World['ids']) => string
  /** The signed-in user; null: none. Default: the administrator. */
  user?: string | null
  act?: (step: Step) => Promise<unknown>
  /** A screenshot of the window instead of the whole page, for elements that lie above the page. */
  isWindow?: boolean
  /** Keeps loading. */
  isBusy?: boolean
  /** Only at that window width. */
  only?: 'wide' | 'narrow'
}

export interface Step {
  page: Page
  m: Messages
  isNarrow: boolean
  press: (name: string | RegExp) => Promise<void>
  /** Waits until a dialog is open. */
  dialog: () => Promise<void>
}

export function stepOf(page: Page, m: Messages, isNarrow: boolean): Step {
  const exactly = (name: string | RegExp) => ({ name, ...(typeof name === 'string' && { exact: true }) })
  return {
    page,
    m,
    isNarrow,
    press: (name) => page.getByRole('button', exactly(name)).last().click(),
    dialog: () => page.getByRole('dialog').or(page.getByRole('alertdialog')).last().waitFor(),
  }
}
