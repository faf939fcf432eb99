// Plain JavaScript on purpose, without await at its top: a Node that is too old says so, and does not fail at syntax.
// oxlint-disable-next-line import/no-unassigned-import -- it ends the process
import './scripts/check-node.cjs'

void import('./server.ts')
