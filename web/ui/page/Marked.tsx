import { createElement, Fragment } from 'react'

/** A text in which backticks mark what is typed as it stands, as the service writes its help. */
export function Marked({ text }: { text: string }) {
  // Every second part stands between two of them.
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? createElement('code', null, part) : part))
  return createElement(Fragment, null, ...parts)
}
