import type { Page } from 'playwright-core'
import type { Test } from 'tap'

/** Says what was found, and fails above the limit. */
export function holds(t: Test, what: string, found: number, limit: number, unit: string) {
  t.comment(`${what}: ${found.toFixed(1)} of ${limit} ${unit}`)
  t.ok(found <= limit, `${what}: ${found.toFixed(1)} ${unit}, at most ${limit}`)
}

/** Milliseconds of the page's thread that `work` takes, with what it draws. */
export async function costOf(page: Page, work: () => Promise<unknown>): Promise<number> {
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

/** The least of three tries: what else the machine does costs some, too. */
export async function leastCost(page: Page, work: () => Promise<unknown>): Promise<number> {
  const all = [await costOf(page, work), await costOf(page, work), await costOf(page, work)]
  return Math.min(...all)
}

/** A telephone on a slow network: 1.6 Mbit/s, 150 ms, a processor four times slower. */
export async function slowDown(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1.6e6 / 8,
    uploadThroughput: 750e3 / 8,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}
