import { Signal } from './live/signal.ts'

/** The change that this page applied last; its domain shows whether the name servers serve it. */
export const lastApplied = new Signal<{ domainId: string; changeId: string } | null>(null)
