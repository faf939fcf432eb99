let isOwn = false

/** The page is made anew by itself: nobody is asked whether to leave, as drafts are kept. */
export const isOwnReload = (): boolean => isOwn

/** Loads the page again. */
export function reloadPage(): void {
  isOwn = true
  location.reload()
}
