#!/usr/bin/env node
// Plain JavaScript, because it must run on an old Node to say that it is too old.
import module from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`zonekeeper needs Node 22.19 or later; this is ${process.version}\n`)
  process.exitCode = 1
} else {
  // Halves the start time. Not in Node's shared cache folder, because cached code is executed.
  const { XDG_CACHE_HOME, HOME } = process.env
  module.enableCompileCache(path.join(XDG_CACHE_HOME || path.join(HOME || homedir(), '.cache'), 'zonekeeper'))
  void import('./main.ts').then(({ main }) => main())
}
