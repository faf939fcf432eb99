/** Prompt before leaving an unsaved form. */
export const leaving = {
  title: 'Leave without saving?',
  text: 'You have unsaved changes on this page.',
  leave: 'Leave without saving',
}
