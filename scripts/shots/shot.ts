import type { Page } from 'playwright-core'
import type { Messages } from '../../web/messages/en.ts'
import type { World } from './world.ts'

/** One picture: a view, in a state that `act` brings about by what the page says in its language. */
export interface Shot {
  /** The path of the view as web/routes/ has it. */
  view: string
  state: string
  /** What is visited; without it the view itself, with the id of the world's. */
  address?: (ids: World['ids']) => string
  /** Who is signed in; null: nobody. Default: the administrator. */
  user?: string | null
  act?: (step: Step) => Promise<unknown>
  /** As a window shows it, and not as long as it is: what lies above the page is meant. */
  isWindow?: boolean
  /** It goes on loading. */
  isBusy?: boolean
  /** Only where the window is that wide. */
  only?: 'wide' | 'narrow'
}

export interface Step {
  page: Page
  m: Messages
  isNarrow: boolean
  press: (name: string | RegExp) => Promise<void>
  /** Until a dialog is there. */
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
