/** Changes of records as lines. */
export const diff = {
  added: 'Added:',
  removed: 'Removed:',
  copy: 'Copy as text',
}
