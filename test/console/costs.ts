import type { Browser, Page } from 'playwright-core'
import type { Test } from 'tap'

/** Says what was found, and fails above the limit. */
export function holds(t: Test, what: string, found: number, limit: number, unit: string) {
  t.comment(`${what}: ${found.toFixed(1)} of ${limit} ${unit}`)
  t.ok(found <= limit, `${what}: ${found.toFixed(1)} ${unit}, at most ${limit}`)
}

/** Milliseconds of the page's thread that `work` takes, with what it draws. */
async function threadTime(page: Page, work: () => Promise<unknown>): Promise<number> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await spent()
  await work()
  const after = await spent()
  await cdp.detach()
  return after - before
}

/** Work of the kind that the console does, and that never changes: rows are made, laid out and taken away. */
const FIXED_WORK = `(() => {
  const table = document.createElement('div')
  for (let nth = 0; nth < 1500; nth++) {
    const row = document.createElement('div')
    for (const text of ['host-' + nth, 'A', '192.0.2.' + (nth % 256), String(nth * 60)]) {
      const cell = document.createElement('span')
      cell.textContent = text
      row.append(cell)
    }
    table.append(row)
  }
  document.body.append(table)
  const { height } = table.getBoundingClientRect()
  table.remove()
  return height
})()`

/** Milliseconds that it takes on the machine that the limits are meant for, when nothing else runs. */
const USUAL_MS = 32

/** What a page costs, as it would on the machine that the limits are meant for. */
export interface Costs {
  /** Milliseconds of the page's thread that `work` takes, with what it draws. */
  of(page: Page, work: () => Promise<unknown>): Promise<number>
  /** The least of three tries. */
  least(page: Page, work: () => Promise<unknown>): Promise<number>
  /** How many times as long as there the same takes here and now; at least 1. */
  slowness(): Promise<number>
}

/**
 * Processor time is not the same on each machine, nor on one whose caches and cores others use as well: what is found is
 * divided by how much longer work that never changes takes at the same time.
 */
export async function startCosts(browser: Browser): Promise<Costs> {
  const blank = await browser.newPage()
  const fixed = () => threadTime(blank, () => blank.evaluate(FIXED_WORK))
  for (let nth = 0; nth < 5; nth++) await fixed()
  const slowness = async () => {
    const tries = [await fixed(), await fixed(), await fixed()]
    return Math.max(1, Math.min(...tries) / USUAL_MS)
  }
  const of = async (page: Page, work: () => Promise<unknown>) => {
    const before = await slowness()
    const cost = await threadTime(page, work)
    return (cost * 2) / (before + (await slowness()))
  }
  return {
    of,
    least: async (page, work) => Math.min(await of(page, work), await of(page, work), await of(page, work)),
    slowness,
  }
}

/**
 * A telephone on a slow network: 1.6 Mbit/s, 150 ms, a processor four times slower than the one that the limits are meant for;
 * where this one is slower itself by `slowness`, that much is there already.
 */
export async function slowDown(page: Page, slowness: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1.6e6 / 8,
    uploadThroughput: 750e3 / 8,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: Math.max(1, 4 / slowness) })
}
