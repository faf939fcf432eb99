import type { Fault } from '../../zone/faults.ts'
import { showTtl } from '../../zone/ttl.ts'
import type { Messages } from '../../messages/en.ts'

/** What is wrong, in the user's language. */
export function wordsOf({ faults, panel }: Messages['records'], fault: Fault): string {
  switch (fault.kind) {
    case 'ttl':
      return panel.ttlWrong
    case 'ttl-out':
      return panel.ttlOut(showTtl(fault.limits.minTtl), showTtl(fault.limits.maxTtl))
    case 'range':
      return faults.range(fault.maximum)
    case 'form':
      return faults.form(fault.form)
    default:
      return faults[fault.kind]
  }
}
