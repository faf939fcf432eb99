import { createElement, Fragment } from 'react'

/** Text with code in backticks, as in the service's help texts. */
export function Marked({ text }: { text: string }) {
  // Every second part is code.
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? createElement('code', null, part) : part))
  return createElement(Fragment, null, ...parts)
}
