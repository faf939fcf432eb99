// Plain JavaScript, because it must run on an old Node to say that it is too old.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Zonekeeper needs Node 22.19 or later; this is ${process.version}.\n` +
      'It brings Node 24 as the npm package "node": run "npm ci" without --omit=dev and with install scripts\n' +
      'allowed for it ("npm rebuild node" installs its binary), or install Node 24 from nodejs.org.',
  )
  process.exit(1)
}
