import type { Plugin } from 'vite'

/** The module of react-aria that announces changes to screen readers, as Vite identifies it. */
export const LIVE_ANNOUNCER = 'react-aria/dist/private/live-announcer/LiveAnnouncer.mjs'

/**
 * Replaces `innerHTML = ''` in react-aria's live announcer with `replaceChildren()`. The console's policy
 * (`trusted-types 'none'`) forbids innerHTML, so typing into a number field would throw. The library has no option for
 * it. The build fails when the module has moved or no longer contains the statement; then check whether this is needed.
 */
export function patchLiveAnnouncer(): Plugin {
  let isPatched = false
  return {
    name: 'patch-live-announcer',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith(LIVE_ANNOUNCER)) return null
      isPatched = true
      return { code: withoutInnerHtml(code), map: null }
    },
    buildEnd(error) {
      if (!error && !isPatched) throw new Error(`${LIVE_ANNOUNCER} is not part of the build`)
    },
  }
}

/** Returns the module without `innerHTML`; throws where it had none or another use of it remains. */
export function withoutInnerHtml(code: string): string {
  const changed = code.replaceAll(".innerHTML = ''", '.replaceChildren()')
  if (changed === code || changed.includes('innerHTML')) throw new Error(`${LIVE_ANNOUNCER} has changed`)
  return changed
}
