import type { SubjectDelay, SubjectFaults } from './subject-faults.ts'

/** What a simulator takes first and does later. */
interface Later {
  /** How often it is asked in vain whether it is done. */
  unfinished: number
}

export const delayOf = (jobs: Later): SubjectDelay => ({
  set: (times) => void (jobs.unfinished = times),
  left: () => Math.max(jobs.unfinished, 0),
})

/** The same faults, and `half`: of several changes in one job the last one fails. */
export const withHalf = (faults: SubjectFaults, jobs: { failsLast: boolean }): SubjectFaults => ({
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
