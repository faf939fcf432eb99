const INHERITED = ['PATH', 'HOME', 'NODE_COMPILE_CACHE']

/** What a program that a test starts gets of our own environment: what it can't do without, or is faster with. */
export const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]).filter(([, value]) => value))
