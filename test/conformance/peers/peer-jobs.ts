import type { PeerDelay, PeerFaults } from './peer-faults.ts'

/** What a simulator takes first and does later. */
interface Later {
  /** How often it is asked in vain whether it is done. */
  unfinished: number
}

export const delayOf = (jobs: Later): PeerDelay => ({
  set: (times) => void (jobs.unfinished = times),
  left: () => Math.max(jobs.unfinished, 0),
})

/** The same faults, and `half`: of several changes in one job the last one fails. */
export const withHalf = (faults: PeerFaults, jobs: { failsLast: boolean }): PeerFaults => ({
  ...faults,
  without: {},
  set: (fault, on) => {
    if (fault === 'half') jobs.failsLast = true
    else faults.set(fault, on)
  },
  clear: () => {
    jobs.failsLast = false
    faults.clear()
  },
})
