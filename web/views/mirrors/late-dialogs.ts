import { lazyPart } from '../../ui/lazyPart.ts'

const CompareDialog = lazyPart(() => import('./CompareDialog.tsx'), 'CompareDialog', [
  'diff',
  'mirrors',
  'plan',
  'records',
])
const PromoteDialog = lazyPart(() => import('./PromoteDialog.tsx'), 'PromoteDialog', [
  'domainSettings',
  'mirrors',
])
const RemoveDialog = lazyPart(() => import('./RemoveDialog.tsx'), 'RemoveDialog', ['mirrors'])

/** What can be done with a mirror, by name. */
const DIALOGS = { compare: CompareDialog, promote: PromoteDialog, remove: RemoveDialog }

export type DialogName = keyof typeof DIALOGS

/** The dialogs of mirrors, loaded when they open. */
export { DIALOGS }
