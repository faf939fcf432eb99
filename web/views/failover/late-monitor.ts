import { lazyPart } from '../../ui/lazyPart.ts'

const MonitorDialog = lazyPart(() => import('./MonitorDialog.tsx'), 'MonitorDialog', ['failoverForm'])

/** The form of a monitor, loaded when it is opened. */
export { MonitorDialog }
