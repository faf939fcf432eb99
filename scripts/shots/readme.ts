import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { openConsole, settled } from '../../test/console/browser.ts'
import { stepOf } from './shot.ts'
import { stageSome } from './states-records.ts'
import { WORDS } from './words.ts'
import type { World } from './world.ts'

const LARGEST = 150_000

/** The main views, as README.md and docs/ show them. */
export async function takeForReadme({ origin, ids }: World, browser: Browser, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const viewport = { width: 1200, height: 620 }
  const settings = { guideClosed: true }
  const { page, context } = await openConsole(browser, origin, { user: 'mara', viewport, settings })
  const { m } = WORDS['en'] as (typeof WORDS)[string]
  const step = stepOf(page, m, false)
  const shoot = async (name: string) => {
    await settled(page)
    const file = path.join(folder, `${name}.png`)
    await page.screenshot({ path: file })
    const { size } = statSync(file)
    console.log(`${file}: ${Math.ceil(size / 1000)} kB`)
    if (size > LARGEST) throw new Error(`${file} has ${size} bytes, more than ${LARGEST}`)
  }
  await page.goto('/')
  await shoot('dashboard')
  await page.goto('/domains')
  await shoot('domains')
  await page.goto(`/domains/${ids.domains}/records`)
  await settled(page)
  await stageSome(step)
  // Removes the focus from all fields.
  await page.getByRole('heading', { level: 1 }).click()
  await shoot('records')
  await step.press(m.records.staging.review)
  await page.getByRole('button', { name: m.review.apply(5) }).waitFor()
  await shoot('review')
  await page.goto(`/change-requests/${ids['change-requests']}`)
  await shoot('change-request')
  await page.goto(`/domains/${ids.domains}/history?change=${ids.verified}`)
  await page.getByRole('table', { name: m.verification.title }).scrollIntoViewIfNeeded()
  await shoot('verification')
  await page.goto(`/domains/${ids.later}/records`)
  await page.getByRole('button', { name: m.later.unconfirmed.confirm, exact: true }).waitFor()
  await shoot('countdown')
  await page.goto(`/domains/${ids.domains}/health`)
  await shoot('health')
  await context.close()
}
