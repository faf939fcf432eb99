/** Puts the focus into the box of the filter. */
export const focusFilter = () => document.getElementById('filter')?.focus()
