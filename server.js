// Plain JavaScript on purpose, without await at its top: a Node that is too old says so, and does not fail at syntax.
// oxlint-disable-next-line import/no-unassigned-import -- it ends the process
import './scripts/check-node.cjs'
import module from 'node:module'

// Before any TypeScript is loaded: what the last start compiled is used again, and what strips types is not even loaded.
module.enableCompileCache()

void import('./main.ts').then(({ main }) => main())
