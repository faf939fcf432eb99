/** A form is left before it was saved. */
export const leaving = {
  title: 'Leave without saving?',
  text: 'What you changed here is not saved yet.',
  leave: 'Leave without saving',
}
