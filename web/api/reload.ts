let isOwn = false

/** Whether the page reloads on its own; then no prompt to stay appears, as drafts are kept. */
export const isOwnReload = (): boolean => isOwn

export function reloadPage(): void {
  isOwn = true
  location.reload()
}
