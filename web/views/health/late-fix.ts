import { lazyPart } from '../../ui/lazyPart.ts'

const FixDialog = lazyPart(() => import('./FixDialog.tsx'), 'FixDialog', [
  'diff',
  'health',
  'plan',
  'records',
])

/** The dialog with the changes of a fix, loaded when it opens. */
export { FixDialog }
