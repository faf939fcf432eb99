import { lazyPart } from '../lazyPart.ts'

const LaterFields = lazyPart(() => import('./LaterFields.tsx'), 'LaterFields', ['later'])

/** When to apply and whether to confirm, loaded with the dialog that asks. */
export { LaterFields }
