import { lazyPart } from '../../ui/lazyPart.ts'

const CopyDialog = lazyPart(() => import('./CopyDialog.tsx'), 'CopyDialog', [
  'diff',
  'domainSettings',
  'plan',
  'records',
])
const SwitchDialog = lazyPart(() => import('./SwitchDialog.tsx'), 'SwitchDialog', [
  'diff',
  'domainSettings',
  'plan',
  'records',
])

/** The dialogs of a move, loaded when they open. */
export { CopyDialog, SwitchDialog }
