#!/usr/bin/env node
// Plain JavaScript, because it must run on an old Node to say that it is too old.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`zonekeeper-mcp needs Node 22.19 or later; this is ${process.version}\n`)
  process.exitCode = 1
} else {
  void import('./main.ts').then(({ main }) => main())
}
