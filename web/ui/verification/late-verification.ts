import { lazyPart } from '../lazyPart.ts'

const Verification = lazyPart(() => import('./Verification.tsx'), 'Verification', ['verification'])

/** What the name servers serve of a change, loaded where a change is opened. */
export { Verification }
