#!/usr/bin/env node
// Plain JavaScript on purpose: it must run on any Node, to say that this one is too old.
import module from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`zonekeeper needs Node 22.19 or later, and this is ${process.version}\n`)
  process.exitCode = 1
} else {
  // Halves the time of the start. Not in the folder for all that Node would take: what is there is run.
  const { XDG_CACHE_HOME, HOME } = process.env
  module.enableCompileCache(path.join(XDG_CACHE_HOME || path.join(HOME || homedir(), '.cache'), 'zonekeeper'))
  void import('./main.ts').then(({ main }) => main())
}
